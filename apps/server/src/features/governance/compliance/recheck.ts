import type { ControlId } from '@paddock/contract';
import type { Changes } from '../../../db/changes.ts';
import type { Log } from '../../../log.ts';
import type { CheckScheduleStore, DueCheck } from './check-schedule-store.ts';
import { controlFacts } from './framework-status.ts';

/** Changes of a team within this time trigger one recheck. */
const gatherMs = 1_000;
/** Minimum time between two checks of a control, however often something changes. */
const pauseSeconds = 5;
/** Teams tracked at once; beyond them only the regular intervals apply. */
const maxTeams = 1_000;

interface Deps {
  changes: Pick<Changes, 'on'>;
  turns: Pick<CheckScheduleStore, 'hasten'>;
  /** Checks controls that are due. */
  check: (turns: readonly DueCheck[]) => Promise<void>;
  log: Log;
}

/** Rechecks controls that did not pass after a change in their team, so that a finding does not outlive its fix. */
export function recheckAfterChanges({ changes, turns, check, log }: Deps) {
  const gathering = new Map<string, NodeJS.Timeout>();
  const pausing = new Set<NodeJS.Timeout>();
  let running: Promise<void> = Promise.resolve();
  let isClosed = false;

  async function recheck(team_id: string): Promise<void> {
    const hastened = await turns.hasten(team_id, pauseSeconds);
    const turn = ({ control }: { control: ControlId }) => ({ team_id, control, every_seconds: controlFacts(control).every_seconds });
    await check(hastened.filter(({ wait_seconds }) => wait_seconds <= 0).map(turn));
    const later = hastened.filter(({ wait_seconds }) => wait_seconds > 0);
    if (later.length === 0 || isClosed || pausing.size >= maxTeams) return;
    const timer = setTimeout(
      () => {
        pausing.delete(timer);
        follow(team_id, () => check(later.map(turn)));
      },
      Math.max(...later.map(({ wait_seconds }) => wait_seconds)) * 1_000 + 50,
    );
    timer.unref();
    pausing.add(timer);
  }

  /** Handles one team after the other, because agents share the processors with these checks. */
  function follow(team_id: string, work: () => Promise<void>): void {
    running = running.then(work).catch((error: unknown) => log.warn({ err: error, team_id }, 'recheck of compliance controls failed'));
  }

  const unlisten = changes.on('changes', (team_id) => {
    if (team_id === '' || gathering.has(team_id) || gathering.size >= maxTeams) return;
    const timer = setTimeout(() => {
      gathering.delete(team_id);
      follow(team_id, () => recheck(team_id));
    }, gatherMs);
    timer.unref();
    gathering.set(team_id, timer);
  });

  return {
    async close(): Promise<void> {
      isClosed = true;
      unlisten();
      for (const timer of [...gathering.values(), ...pausing]) clearTimeout(timer);
      await running;
    },
  };
}
