import type { Log } from '../../../log.ts';
import type { Step } from './next-step.ts';

/** Concurrent steps: starting everything must not take the machine from its agents. */
const atOnce = 4;
/** Concurrent tasks in addition: a backup may take long, and a stopped database must not wait for it. */
const tasksAtOnce = 2;
/** Extra slots of each kind for teams with none in progress, so that nobody waits for another team's backups. */
const spare = 2;
/** Pause of a database after a failed step. */
const restMs = 5_000;

interface Deps {
  closing: AbortSignal;
  log: Log;
  /** Called when a step succeeded: the next one may be due. */
  onDone: () => void;
}

/** The steps in progress, at most one per database. */
export function createStepPool({ closing, log, onDone }: Deps) {
  const busy = new Map<string, { team_id: string; step: Step; done: Promise<void>; cut: AbortController }>();
  /** Retry times of databases whose last step failed, for instance because the platform's database is away. */
  const retryAt = new Map<string, number>();
  return {
    ids: () => new Set(busy.keys()),
    has: (id: string) => busy.has(id),
    isResting: (id: string) => (retryAt.get(id) ?? 0) > performance.now(),

    hasRoom({ step, team_id }: { step: Step; team_id: string }): boolean {
      const alike = [...busy.values()].filter((one) => (one.step === 'task') === (step === 'task'));
      const max = step === 'task' ? tasksAtOnce : atOnce;
      return alike.length < (alike.some((one) => one.team_id === team_id) ? max : max + spare);
    },

    /** Cancels the database's step in progress, unless it is this one. */
    cutUnless(id: string, step: Step) {
      const now = busy.get(id);
      if (now?.step !== step) now?.cut.abort();
    },

    begin({ id, team_id }: { id: string; team_id: string }, step: Step, work: (signal: AbortSignal) => Promise<void>) {
      const cut = new AbortController();
      const signal = AbortSignal.any([closing, cut.signal]);
      const done = work(signal).then(
        () => {
          busy.delete(id);
          if (step === 'remove') retryAt.delete(id);
          onDone();
        },
        (error: unknown) => {
          busy.delete(id);
          retryAt.set(id, performance.now() + restMs);
          if (!signal.aborted) log.warn({ err: error, database: id }, 'database step failed; retrying');
        },
      );
      busy.set(id, { team_id, step, done, cut });
    },

    /** Resolves when all steps in progress now have ended. */
    over: () => Promise.all([...busy.values()].map(({ done }) => done)),
  };
}
