import { setImmediate as nextTurn } from 'node:timers/promises';

/** Between two turns of the thread's other work. */
const turnMs = 5;

/** Time of a sending for work that grows with what was sent. The thread's own time counts: a busy machine does not shorten it. */
export function createTimeBudget(ms: number) {
  let leftMs = ms;
  let turnEnds = performance.now() + turnMs;
  return {
    /** False where nothing is left: the work is not done then. */
    spend(work: () => void): boolean {
      if (leftMs <= 0) return false;
      const begun = process.threadCpuUsage();
      work();
      const { user, system } = process.threadCpuUsage(begun);
      leftMs -= (user + system) / 1000;
      return true;
    },
    /** Lets others have their turn now and then. */
    async rest(): Promise<void> {
      if (performance.now() < turnEnds) return;
      await nextTurn();
      turnEnds = performance.now() + turnMs;
    },
  };
}
export type Budget = ReturnType<typeof createTimeBudget>;
