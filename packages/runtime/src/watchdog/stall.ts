import { readFileSync } from 'node:fs';

/** The state of the main thread and the CPU time that it has used. Undefined if the system does not report them. */
export type Share = { state: string; cpuMs: number } | undefined;

/** Linux reports CPU time in hundredths of a second. */
const TICKS_PER_MS = 1 / 10;

/**
 * The minimum share of a tick that counts. It bounds the time until a blocked loop is killed on a busy machine to three times the usual
 * time.
 */
const MIN_SHARE = 1 / 3;

/** Reads the main thread, whose number is that of the process. */
export function readShare(pid: number): Share {
  try {
    const stat = readFileSync(`/proc/self/task/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', cpuMs: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_MS };
  } catch {
    return undefined; // not Linux: every tick counts
  }
}

/**
 * Sums the time that the loop has been blocked, from ticks with the same beat. While the thread works, the CPU time that it used counts,
 * but at least a third of the tick, since a busy machine may keep it waiting. While it waits for something, the tick counts in full. While
 * it is stopped, traced or waits for a disk, nothing counts.
 */
export function createStallMeter(share: () => Share): (beat: number, tickMs: number) => number {
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
    else if (now.state === 'R') stoodMs += Math.min(Math.max(had, tickMs * MIN_SHARE), tickMs);
    return stoodMs;
  };
}
