import type { Log } from '../log.ts';

/** Maximum number of refusals that wait to be written. */
const maxWaiting = 500;

/** Runs work sequentially, outside the caller's path. Work beyond the bound is dropped, counted and logged. */
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
        await work().catch((error: unknown) => log.error({ err: error }, 'recording a refusal failed'));
        waiting -= 1;
        if (waiting > 0 || lost === 0) return;
        log.warn({ lost }, 'refusals not recorded: queue full');
        lost = 0;
      });
    },
    /** Resolves when all work so far has ended. */
    settle: () => last,
  };
}
