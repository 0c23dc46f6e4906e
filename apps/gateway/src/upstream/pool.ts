import type { Limits } from '../limits.ts';
import type { Target } from '../routes/route.ts';
import { CloseBudget } from './close-budget.ts';
import type { PoolWaiter } from './pool-waiter.ts';
import { TargetPool } from './target-pool.ts';
import { Upstream } from './upstream.ts';

export type { FailureKind, PoolWaiter } from './pool-waiter.ts';
export type UpstreamPools = ReturnType<typeof upstreamPools>;

/** The connections to all instances. */
export function upstreamPools(limits: Limits) {
  const pools = new Map<string, TargetPool>();
  /** The pool of a connection, also after the pool was retired. */
  const poolOf = new WeakMap<Upstream, TargetPool>();
  const poolOfAsker = new WeakMap<PoolWaiter, TargetPool>();
  /** Connections being opened that will serve only one visitor. */
  const alone = new WeakMap<PoolWaiter, Upstream>();
  /** Close budgets by target; a pool may be removed and created again within a minute. */
  const partings = new Map<string, CloseBudget>();
  const sweeper = setInterval(sweep, 1_000);
  sweeper.unref();

  return { take, cancel, release, openAlone, retire, close };

  /**
   * A connection to the target: a kept one at once, or undefined, and the waiter is notified later. A waiter that holds its share waits although
   * there are connections left.
   */
  function take(target: Target, asker: PoolWaiter): Upstream | undefined {
    const pool = pools.get(target.key) ?? add(target);
    const kept = pool.takeKept(asker);
    if (kept) return kept;
    poolOfAsker.set(asker, pool);
    pool.openOrWait(asker);
    return undefined;
  }

  function add(target: Target): TargetPool {
    const pool = new TargetPool(target, limits, {
      made: (upstream) => void poolOf.set(upstream, pool),
      unused: () => {
        if (pools.get(target.key) === pool) pools.delete(target.key);
      },
      mayClose: () => mayClose(target.key),
    });
    pools.set(target.key, pool);
    return pool;
  }

  /** The waiter needs no connection any more, and is not notified again. */
  function cancel(asker: PoolWaiter): void {
    alone.get(asker)?.close();
    alone.delete(asker);
    poolOfAsker.get(asker)?.cancel(asker);
  }

  /** Returns a connection after use. */
  function release(upstream: Upstream, isReusable: boolean): void {
    const pool = poolOf.get(upstream);
    if (pool) pool.release(upstream, isReusable);
    else upstream.close();
  }

  /** Opens a connection that serves one visitor and is never given to another: a WebSocket. */
  function openAlone(target: Target, asker: PoolWaiter): Upstream {
    const upstream: Upstream = new Upstream(target, limits, {
      opened: () => {
        alone.delete(asker);
        asker.connected(upstream);
      },
      gone: (why) => {
        if (alone.get(asker) !== upstream) return;
        alone.delete(asker);
        asker.notConnected('unreachable', why);
      },
      mayClose: () => mayClose(target.key),
    });
    alone.set(asker, upstream);
    asker.opening();
    return upstream;
  }

  function mayClose(key: string): boolean {
    const of = partings.get(key) ?? new CloseBudget();
    partings.set(key, of);
    return of.mayClose();
  }

  function sweep(): void {
    const oldest = performance.now() - limits.upstreamIdleMs;
    for (const pool of pools.values()) pool.closeIdleSince(oldest);
    for (const [key, of] of partings) if (of.isRested) partings.delete(key);
  }

  /** No route leads to the target any more: requests in progress finish, kept connections close, and waiters retry elsewhere. */
  function retire(key: string): void {
    const pool = pools.get(key);
    // Deleted first: a notified waiter retries at once, and must not get into this pool.
    pools.delete(key);
    pool?.retire();
  }

  function close(): void {
    clearInterval(sweeper);
    for (const key of pools.keys()) retire(key);
  }
}
