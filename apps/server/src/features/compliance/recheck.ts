import type { Changes } from '../../db/changes.ts';
import type { Log } from '../../log.ts';
import type { TurnStore } from './turn-store.ts';

/** Changes of a team that come within this time are one. */
const gatherMs = 1_000;
/** A control is not checked again sooner than this, however often something changes. */
const pauseSeconds = 5;
/** Beyond these the interval of each control has to do. */
const maxTeams = 1_000;

interface Deps {
  changes: Pick<Changes, 'on'>;
  turns: Pick<TurnStore, 'hasten'>;
  /** Checks what is due. */
  begin: () => Promise<void>;
  log: Log;
}

/** Checks what did not pass again after something of its team changed, so that a finding does not outlive its fix. */
export function recheckAfterChanges({ changes, turns, begin, log }: Deps) {
  const gathering = new Map<string, NodeJS.Timeout>();
  const pausing = new Set<NodeJS.Timeout>();
  const running = new Set<Promise<void>>();
  let isClosed = false;

  async function recheck(team_id: string): Promise<void> {
    const waitSeconds = await turns.hasten(team_id, pauseSeconds);
    if (waitSeconds === undefined || isClosed) return;
    await begin();
    if (waitSeconds <= 0 || pausing.size >= maxTeams) return;
    const timer = setTimeout(() => {
      pausing.delete(timer);
      void begin();
    }, waitSeconds * 1_000);
    timer.unref();
    pausing.add(timer);
  }

  const unlisten = changes.on('changes', (team_id) => {
    if (team_id === '' || gathering.has(team_id) || gathering.size >= maxTeams) return;
    const timer = setTimeout(() => {
      gathering.delete(team_id);
      const work = recheck(team_id)
        .catch((error: unknown) => log.warn({ err: error, team_id }, 'controls could not be checked again after a change'))
        .finally(() => running.delete(work));
      running.add(work);
    }, gatherMs);
    timer.unref();
    gathering.set(team_id, timer);
  });

  return {
    async close(): Promise<void> {
      isClosed = true;
      unlisten();
      for (const timer of [...gathering.values(), ...pausing]) clearTimeout(timer);
      await Promise.all(running);
    },
  };
}
