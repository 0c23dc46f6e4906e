import { setTimeout as sleep } from 'node:timers/promises';
import { isDiskFull } from './connect.ts';
import { isOutage } from './outage.ts';

const maxMs = 10 * 60_000;
const pausesMs = [100, 500, 1000, 2000];

/**
 * Wraps functions to wait for a database that is unreachable or has no space: each is retried for ten minutes, or until the signal aborts. Only for
 * idempotent work, since it is unknown whether an interrupted attempt had its effect.
 */
export function retryOutages<F extends object>(functions: F, signal: AbortSignal): F {
  const entries = Object.entries(functions).map(([name, ask]) => [name, (...args: unknown[]) => insist(() => ask(...args), signal)]);
  return Object.fromEntries(entries) as F;
}

async function insist(ask: () => PromiseLike<unknown>, signal: AbortSignal) {
  const begun = performance.now();
  for (let tries = 0; ; tries++)
    try {
      return await ask();
    } catch (error) {
      const isAway = isOutage(error) || isDiskFull(error);
      if (!isAway || signal.aborted || performance.now() - begun > maxMs) throw error;
      await sleep(pausesMs[Math.min(tries, pausesMs.length - 1)], undefined, { signal });
    }
}
