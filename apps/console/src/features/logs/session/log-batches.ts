import type { LogLine } from '@paddock/contract';

const waitMs = 60;
const maxWaiting = 2000;

/** Batches arriving lines: flushes after 60 ms, or at once if there are many. */
export function createBatches(take: (lines: LogLine[]) => void) {
  let waiting: LogLine[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush() {
    clearTimeout(timer);
    timer = undefined;
    const arrived = waiting;
    waiting = [];
    take(arrived);
  }

  return {
    add(lines: readonly LogLine[]) {
      waiting.push(...lines);
      if (waiting.length >= maxWaiting) flush();
      else timer ??= setTimeout(flush, waitMs);
    },
    /** Flushes the batch, even an empty one. */
    flush,
    stop: () => clearTimeout(timer),
  };
}
