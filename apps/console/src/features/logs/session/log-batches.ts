import type { LogLine } from '@paddock/contract';

const waitMs = 60;
const maxWaiting = 2000;

/** Collects lines as they arrive and hands them on together: after 60 ms, or at once when there are many. */
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
    /** Hands on what waits, also nothing. */
    flush,
    stop: () => clearTimeout(timer),
  };
}
