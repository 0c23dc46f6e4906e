import { readFileSync } from 'node:fs';

/** What the system says of the main thread: its state, and the CPU time it has had. Undefined where that cannot be asked. */
export type Share = { state: string; cpuMs: number } | undefined;

/** Linux counts in hundredths of a second for every program. */
const ticksPerMs = 1 / 10;

/** However busy the machine is, a loop that stands still is ended after at most three times the time. */
const leastShare = 1 / 3;

/** Of the thread that has the process's own number. */
export function readShare(pid: number): Share {
  try {
    const stat = readFileSync(`/proc/self/task/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', cpuMs: (Number(fields[11]) + Number(fields[12])) / ticksPerMs };
  } catch {
    return undefined; // not Linux: every tick counts
  }
}

/**
 * Adds up for how long the loop has stood still, from ticks with the same beat. A thread that works counts for the CPU time that it had (but
 * for a third at least), since a busy machine may keep it waiting; one that waits for something counts in full; one that is stopped, traced or waits for
 * a disk does not.
 */
export function standingStill(share: () => Share): (beat: number, tickMs: number) => number {
  let last = -1;
  let stoodMs = 0;
  let cpuMs: number | undefined;

  return (beat, tickMs) => {
    if (beat !== last) {
      last = beat;
      stoodMs = 0;
      cpuMs = undefined;
      return 0;
    }
    const now = share();
    const had = now && cpuMs !== undefined ? now.cpuMs - cpuMs : tickMs;
    cpuMs = now?.cpuMs;
    if (!now || now.state === 'S') stoodMs += tickMs;
    else if (now.state === 'R') stoodMs += Math.min(Math.max(had, tickMs * leastShare), tickMs);
    return stoodMs;
  };
}
