import { cpus, freemem } from 'node:os';
import type { Slots } from './slots.ts';

/** Twice the time that a test file needs to load what it tests: its work shows in the next measurement. */
const INTERVAL_MS = 2000;
/** Half of a core on a machine with two. */
const MIN_IDLE_SHARE = 0.25;
/** A file with several servers, its agents included. */
const MIN_FREE_BYTES = 2 * 1024 ** 3;

export type CoreTimes = { idle: number; total: number };

/**
 * Grants extra slots while the cores are idle: a test waits for nearly half of its time, for timeouts, restarts and leases, so that the
 * right number of parallel files depends on which ones run. The cores count as a whole, with the work of other programs.
 */
export function useIdleCores(
  slots: Pick<Slots, 'grantExtra'>,
  maxExtra: number,
  { read = readCores, freeBytes = freemem, intervalMs = INTERVAL_MS } = {},
) {
  let last = read();
  const timer = setInterval(() => {
    const now = read();
    const share = idleShare(last, now);
    last = now;
    if (share >= MIN_IDLE_SHARE && freeBytes() >= MIN_FREE_BYTES) slots.grantExtra(maxExtra);
  }, intervalMs);
  return { stop: () => clearInterval(timer) };
}

/** The share of the time between two readings in which the cores were idle. */
export const idleShare = (from: CoreTimes, to: CoreTimes): number => (to.idle - from.idle) / (to.total - from.total);

/** Milliseconds that all cores have spent since the machine started. */
export function readCores(): CoreTimes {
  const sum = { idle: 0, total: 0 };
  for (const { times } of cpus()) {
    sum.idle += times.idle;
    sum.total += times.user + times.nice + times.sys + times.idle + times.irq;
  }
  return sum;
}
