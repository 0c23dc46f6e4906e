import { setImmediate as nextTurn } from 'node:timers/promises';

/** Maximum time before the thread's other work gets a turn. */
const turnMs = 5;

/** Time budget of a request for work that grows with its data. Counts the thread's CPU time: a busy machine does not reduce it. */
export function createTimeBudget(ms: number) {
  let leftMs = ms;
  let turnEnds = performance.now() + turnMs;
  return {
    /** False if the budget is used up: the work is not done then. */
    spend(work: () => void): boolean {
      if (leftMs <= 0) return false;
      const begun = process.threadCpuUsage();
      work();
      const { user, system } = process.threadCpuUsage(begun);
      leftMs -= (user + system) / 1000;
      return true;
    },
    /** Yields to other work periodically. */
    async rest(): Promise<void> {
      if (performance.now() < turnEnds) return;
      await nextTurn();
      turnEnds = performance.now() + turnMs;
    },
  };
}
export type Budget = ReturnType<typeof createTimeBudget>;
