import { setTimeout as sleep } from 'node:timers/promises';

/** Maximum share of a core for a generator: the subject of the measurement is the platform, not the attacker's machine beside it. */
const share = 0.4;
/** Short, so that the load is even; a burst takes a whole core while it lasts. */
const windowMs = 20;

/** The pace of a flood: whether it is over, and whether this process has used its share of the processor. */
export function startPace() {
  let isOver = false;
  let count = 0;
  let window = { at: performance.now(), cpu: process.cpuUsage() };

  /** Unused time is not carried over: no flood saves up for a burst. */
  function isSpent(): boolean {
    const now = performance.now();
    if (now - window.at >= windowMs) {
      const { user, system } = process.cpuUsage(window.cpu);
      const debtMs = Math.max(0, (user + system) / 1000 - share * (now - window.at));
      if (debtMs === 0) window = { at: now, cpu: process.cpuUsage() };
    }
    const { user, system } = process.cpuUsage(window.cpu);
    return (user + system) / 1000 > share * Math.max(windowMs, performance.now() - window.at);
  }

  return {
    isOver: () => isOver,
    isSpent,
    /** Waits while the share is used up. */
    async turn(): Promise<void> {
      while (!isOver && isSpent()) await sleep(2);
    },
    done: () => void count++,
    count: () => count,
    end: () => void (isOver = true),
  };
}
export type Pace = ReturnType<typeof startPace>;
