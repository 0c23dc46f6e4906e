import { logUnlessOutage } from '../../db/outage.ts';
import type { Log } from '../../log.ts';

/** What a live log was opened with: a session or an API key. */
export interface ReaderIdentity {
  session_id: string | null;
  key_id: string | null;
}
/** Which of these sessions and keys are live. */
export type FindLive = (ids: { sessions: string[]; keys: string[] }) => Promise<Set<string>>;

const everyMs = 2_000;

/** Asks for all readers of this server together, with one query, whether their sessions and keys still hold, and ends those whose do not. */
export function createReaderAuth(findLive: FindLive, log: Pick<Log, 'error'>) {
  const failed = logUnlessOutage(log, 'whether the readers of live logs may go on could not be told; asked again');
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
