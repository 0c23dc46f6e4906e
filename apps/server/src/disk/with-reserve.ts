import type { Need, Reserve } from './reserve.ts';

/**
 * Wraps functions to retry with a part of the reserve when the disk is full. Only for stores whose functions are each one statement or one
 * transaction, so that an attempt that failed for lack of space had no effect.
 */
export function withReserve<F extends object>(functions: F, reserve: Reserve, need: Need = 'note'): F {
  const entries = Object.entries(functions).map(([name, work]) => [
    name,
    (...args: unknown[]) => reserve.withRoom(need, () => (work as (...args: unknown[]) => PromiseLike<unknown>)(...args)),
  ]);
  return Object.fromEntries(entries) as F;
}
