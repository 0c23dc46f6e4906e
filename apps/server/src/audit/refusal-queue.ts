import type { Log } from '../log.ts';

/** Maximum refusals that wait to be written. */
const maxWaiting = 500;

/** Runs tasks one after the other, outside of the request. Tasks beyond the bound are dropped, counted and logged. */
export function refusalQueue(log: Log) {
  let waiting = 0;
  let lost = 0;
  let last: Promise<void> = Promise.resolve();
  return {
    add(work: () => Promise<void>): void {
      if (waiting >= maxWaiting) {
        lost += 1;
        return;
      }
      waiting += 1;
      last = last.then(async () => {
        await new Promise(setImmediate); // the response is sent first
        await work().catch((error: unknown) => log.error({ err: error }, 'recording a refused call failed'));
        waiting -= 1;
        if (waiting > 0 || lost === 0) return;
        log.warn({ lost }, 'refused calls not recorded: queue full');
        lost = 0;
      });
    },
    /** Resolves when all tasks so far have ended. */
    settle: () => last,
  };
}
