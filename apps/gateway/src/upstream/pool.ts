import type { Limits } from '../limits.ts';
import type { Target } from '../routes/route.ts';
import { Upstream } from './upstream.ts';

/** Why a try brought nothing: no connection was free, none could be made, or no whole answer came. */
export type FailureKind = 'busy' | 'unreachable' | 'broken';

/** Who wants a connection to an instance. */
export interface Asker {
  /** An IPv4 address or a /64 of IPv6: it gets its share of the connections and no more. */
  readonly network: string;
  /** The request does no harm when it is sent twice; only then is a connection used that the agent may just be closing. */
  readonly mayRepeat: boolean;
  /** It is the asker's turn: a connection is being made for it. */
  opening(): void;
  /** The connection that it waited for. */
  connected(upstream: Upstream): void;
  /** Nothing was sent. */
  notConnected(kind: FailureKind, why: string): void;
}

interface Pool {
  target: Target;
  /** Opening, at work and idle together. */
  open: number;
  /** The last released is at the end and used first. */
  idle: Upstream[];
  waiting: Set<Asker>;
  opening: Map<Asker, Upstream>;
  /** Connections at work or opening, by network of the visitor. */
  held: Map<string, number>;
  isRetired: boolean;
}

export type UpstreamPools = ReturnType<typeof upstreamPools>;

/** The connections to all instances. */
export function upstreamPools(limits: Limits) {
  const pools = new Map<string, Pool>();
  const poolOf = new WeakMap<Upstream, Pool>();
  /** Where an asker waits; also after the pool was retired. */
  const poolOfAsker = new WeakMap<Asker, Pool>();
  /** Connections being made that will serve one visitor alone. */
  const alone = new WeakMap<Asker, Upstream>();
  const sweeper = setInterval(sweep, 1_000);
  sweeper.unref();

  return { take, cancel, release, openAlone, retire, close };

  /**
   * A connection to the target: a kept one at once, or undefined, and the asker hears later. An asker that holds its share waits although
   * there are connections left.
   */
  function take(target: Target, asker: Asker): Upstream | undefined {
    const pool = poolFor(target);
    if (hasItsShare(pool, asker.network)) return wait(pool, asker);
    const kept = takeIdle(pool, asker.mayRepeat);
    if (kept) {
      lend(pool, kept, asker.network);
      return kept;
    }
    if (pool.open >= limits.socketsPerTarget) {
      if (pool.idle.length === 0) return wait(pool, asker);
      drop(pool, pool.idle[0]!);
    }
    open(pool, asker);
    return undefined;
  }

  function poolFor(target: Target): Pool {
    const known = pools.get(target.key);
    if (known) return known;
    const pool: Pool = { target, open: 0, idle: [], waiting: new Set(), opening: new Map(), held: new Map(), isRetired: false };
    pools.set(target.key, pool);
    return pool;
  }

  function hasItsShare(pool: Pool, network: string): boolean {
    return (pool.held.get(network) ?? 0) >= limits.socketsPerVisitor;
  }

  function lend(pool: Pool, upstream: Upstream, network: string): void {
    upstream.holder = network;
    pool.held.set(network, (pool.held.get(network) ?? 0) + 1);
  }

  function takeBack(pool: Pool, upstream: Upstream): void {
    if (upstream.holder === undefined) return;
    const left = (pool.held.get(upstream.holder) ?? 0) - 1;
    if (left > 0) pool.held.set(upstream.holder, left);
    else pool.held.delete(upstream.holder);
    upstream.holder = undefined;
  }

  function takeIdle(pool: Pool, mayRepeat: boolean): Upstream | undefined {
    const last = pool.idle.at(-1);
    if (!last || (!mayRepeat && performance.now() - last.idleSince > limits.upstreamFreshMs)) return undefined;
    return pool.idle.pop();
  }

  function open(pool: Pool, asker: Asker): void {
    pool.open += 1;
    const upstream = new Upstream(pool.target, limits, {
      opened: () => {
        pool.opening.delete(asker);
        asker.connected(upstream);
      },
      gone: (why) => {
        pool.open -= 1;
        takeBack(pool, upstream);
        const at = pool.idle.indexOf(upstream);
        if (at >= 0) pool.idle.splice(at, 1);
        // An asker that has given this one up may be waiting for the next.
        if (pool.opening.get(asker) === upstream) {
          pool.opening.delete(asker);
          asker.notConnected('unreachable', why);
        }
        openForWaiting(pool);
        forgetIfUnused(pool);
      },
    });
    poolOf.set(upstream, pool);
    poolOfAsker.set(asker, pool);
    pool.opening.set(asker, upstream);
    lend(pool, upstream, asker.network);
    asker.opening();
  }

  function wait(pool: Pool, asker: Asker): undefined {
    if (pool.waiting.size >= limits.waitingPerTarget) asker.notConnected('busy', 'too many requests wait for a connection');
    else {
      pool.waiting.add(asker);
      poolOfAsker.set(asker, pool);
    }
  }

  /** The asker wants none any more, and hears nothing more of those that it wanted. */
  function cancel(asker: Asker): void {
    alone.get(asker)?.close();
    alone.delete(asker);
    const pool = poolOfAsker.get(asker);
    pool?.waiting.delete(asker);
    const upstream = pool?.opening.get(asker);
    if (!upstream) return;
    pool!.opening.delete(asker);
    upstream.close();
  }

  function release(upstream: Upstream, isReusable: boolean): void {
    const pool = poolOf.get(upstream);
    if (!pool) {
      upstream.close();
      return;
    }
    takeBack(pool, upstream);
    if (!isReusable || pool.isRetired) {
      upstream.close();
      return;
    }
    upstream.isReused = true;
    const next = nextWaiting(pool);
    if (next) {
      lend(pool, upstream, next.network);
      next.connected(upstream);
      return;
    }
    upstream.idleSince = performance.now();
    pool.idle.push(upstream);
  }

  /** A connection that serves one visitor and is never given to another: a WebSocket. */
  function openAlone(target: Target, asker: Asker): Upstream {
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
    });
    alone.set(asker, upstream);
    asker.opening();
    return upstream;
  }

  function openForWaiting(pool: Pool): void {
    if (pool.open >= limits.socketsPerTarget) return;
    const next = nextWaiting(pool);
    if (next) open(pool, next);
  }

  function nextWaiting(pool: Pool): Asker | undefined {
    for (const asker of pool.waiting) {
      if (hasItsShare(pool, asker.network)) continue;
      pool.waiting.delete(asker);
      return asker;
    }
    return undefined;
  }

  function forgetIfUnused(pool: Pool): void {
    if (pool.open === 0 && pool.waiting.size === 0 && pools.get(pool.target.key) === pool) pools.delete(pool.target.key);
  }

  function sweep(): void {
    const oldest = performance.now() - limits.upstreamIdleMs;
    // The longest idle come first.
    for (const pool of pools.values()) while (pool.idle.length > 0 && pool.idle[0]!.idleSince < oldest) drop(pool, pool.idle[0]!);
  }

  function drop(pool: Pool, upstream: Upstream): void {
    pool.idle.splice(pool.idle.indexOf(upstream), 1);
    upstream.close();
  }

  /** No route leads there any more: requests on the way finish, kept connections close, and who waits for one asks elsewhere. */
  function retire(key: string): void {
    const pool = pools.get(key);
    if (!pool) return;
    pools.delete(key);
    pool.isRetired = true;
    for (const upstream of pool.idle.splice(0)) upstream.close();
    const waiting = [...pool.waiting];
    pool.waiting.clear();
    for (const asker of waiting) asker.notConnected('unreachable', 'the route has moved');
  }

  function close(): void {
    clearInterval(sweeper);
    for (const key of pools.keys()) retire(key);
  }
}
