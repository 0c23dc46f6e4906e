import type { Log } from '../../../log.ts';
import type { Step } from './next-step.ts';

/** Databases that are worked on at once: a start of everything must not take the machine from its agents. */
const atOnce = 4;
/** Tasks at once, besides these: a backup may take long, and a database that has stopped must not wait for it. */
const tasksAtOnce = 2;
/** More of each, for teams that have none of the kind under way: nobody waits until somebody else's backups end. */
const spare = 2;
/** A database whose step failed rests for this long. */
const restMs = 5_000;

interface Deps {
  closing: AbortSignal;
  log: Log;
  /** A step succeeded: the next one may be due. */
  onDone: () => void;
}

/** The steps that are being taken, at most one for each database. */
export function createStepPool({ closing, log, onDone }: Deps) {
  const busy = new Map<string, { team_id: string; step: Step; done: Promise<void>; cut: AbortController }>();
  /** Retry times of databases whose last step failed, for instance since the platform's database is away. */
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

    /** Cuts short what is done with a database, other than this step. */
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
          if (!signal.aborted) log.warn({ err: error, database: id }, 'a database could not be settled; tried again');
        },
      );
      busy.set(id, { team_id, step, done, cut });
    },

    /** Once all that is under way now is over. */
    over: () => Promise.all([...busy.values()].map(({ done }) => done)),
  };
}
