import { logUnlessOutage } from '../../db/outage.ts';
import type { Log } from '../../log.ts';

/** The credential that opened a live log: a session or an API key. */
export interface ReaderIdentity {
  session_id: string | null;
  key_id: string | null;
}
/** Which of these sessions and keys are live. */
export type FindLive = (ids: { sessions: string[]; keys: string[] }) => Promise<Set<string>>;

const everyMs = 2_000;

/** Checks the sessions and keys of all readers on this server with one query, and ends the readers whose credential is no longer valid. */
export function createReaderAuth(findLive: FindLive, log: Pick<Log, 'error'>) {
  const failed = logUnlessOutage(log, 'credential check of live log readers failed; retrying');
  const readers = new Map<object, { identity: ReaderIdentity; end: () => void }>();
  let asking = false;
  const timer = setInterval(() => {
    if (asking || readers.size === 0) return;
    asking = true;
    look()
      .catch(failed)
      .finally(() => (asking = false));
  }, everyMs);

  async function look() {
    const asked = [...readers];
    const of = (which: keyof ReaderIdentity) => [...new Set(asked.flatMap(([, { identity }]) => identity[which] ?? []))];
    const live = await findLive({ sessions: of('session_id'), keys: of('key_id') });
    for (const [, { identity, end }] of asked) if (!live.has(identity.session_id ?? identity.key_id ?? '')) end();
  }

  return {
    add: (reader: object, identity: ReaderIdentity, end: () => void) => void readers.set(reader, { identity, end }),
    remove: (reader: object) => void readers.delete(reader),
    close: () => clearInterval(timer),
  };
}
