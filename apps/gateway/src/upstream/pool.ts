import type { Limits } from '../limits.ts';
import type { Target } from '../routing-table.ts';
import { type Acquired, type Connection, openConnection } from './connection.ts';

export interface UpstreamPool {
  /**
   * Gives a connection to the target, a kept one or a new one. `mayRepeat` tells that the request does no harm when it is
   * sent twice; only then is a connection used that the agent may just be closing. Returns how to give up waiting.
   */
  acquire: (target: Target, mayRepeat: boolean, done: Acquired) => () => void;
  release: (connection: Connection, isReusable: boolean) => void;
  /** No route leads there any more: requests on the way finish, kept connections close. */
  retire: (key: string) => void;
  close: () => void;
}

export class PoolBusy extends Error {
  override name = 'PoolBusy';
}

interface Waiter {
  done: Acquired;
  timer: NodeJS.Timeout;
}

interface Pool {
  target: Target;
  /** Opening, at work and idle together. */
  open: number;
  /** The last released is at the end and used first. */
  idle: Connection[];
  waiting: Set<Waiter>;
  isRetired: boolean;
}

export function upstreamPool(limits: Limits): UpstreamPool {
  const pools = new Map<string, Pool>();
  const poolOf = new WeakMap<Connection, Pool>();
  const sweeper = setInterval(sweep, 1_000);
  sweeper.unref();

  return { acquire, release, retire, close };

  function acquire(target: Target, mayRepeat: boolean, done: Acquired): () => void {
    let pool = pools.get(target.key);
    if (!pool) pools.set(target.key, (pool = { target, open: 0, idle: [], waiting: new Set(), isRetired: false }));
    const kept = takeIdle(pool, mayRepeat);
    if (kept) {
      done(undefined, kept);
      return nothingToCancel;
    }
    if (pool.open >= limits.socketsPerTarget && pool.idle.length > 0) pool.idle.shift()!.close();
    else if (pool.open >= limits.socketsPerTarget) return wait(pool, done);
    return open(pool, done);
  }

  function takeIdle(pool: Pool, mayRepeat: boolean): Connection | undefined {
    const last = pool.idle.at(-1);
    if (!last || (!mayRepeat && performance.now() - last.idleSince > limits.upstreamFreshMs)) return undefined;
    return pool.idle.pop();
  }

  function open(pool: Pool, done: Acquired): () => void {
    pool.open += 1;
    return openConnection(
      pool.target,
      limits,
      {
        done: (error, connection) => {
          if (connection) poolOf.set(connection, pool);
          done(error, connection);
        },
        gone: (connection) => {
          pool.open -= 1;
          const at = pool.idle.indexOf(connection);
          if (at >= 0) pool.idle.splice(at, 1);
          openForWaiting(pool);
          forgetIfUnused(pool);
        },
      },
      false,
    );
  }

  function wait(pool: Pool, done: Acquired): () => void {
    if (pool.waiting.size >= limits.waitingPerTarget) {
      done(new PoolBusy('too many requests wait for a connection'), undefined);
      return nothingToCancel;
    }
    const giveUp = () => {
      pool.waiting.delete(waiter);
      done(new PoolBusy('no connection became free in time'), undefined);
    };
    const waiter: Waiter = { done, timer: setTimeout(giveUp, limits.waitingMs) };
    pool.waiting.add(waiter);
    return () => {
      clearTimeout(waiter.timer);
      pool.waiting.delete(waiter);
    };
  }

  function release(connection: Connection, isReusable: boolean): void {
    const pool = poolOf.get(connection)!;
    if (!isReusable || pool.isRetired) {
      connection.close();
      return;
    }
    connection.isReused = true;
    const next = nextWaiting(pool);
    if (next) {
      next.done(undefined, connection);
      return;
    }
    connection.idleSince = performance.now();
    pool.idle.push(connection);
  }

  function openForWaiting(pool: Pool): void {
    if (pool.open >= limits.socketsPerTarget) return;
    const next = nextWaiting(pool);
    if (next) open(pool, next.done);
  }

  function nextWaiting(pool: Pool): Waiter | undefined {
    const [next] = pool.waiting;
    if (!next) return undefined;
    clearTimeout(next.timer);
    pool.waiting.delete(next);
    return next;
  }

  function forgetIfUnused(pool: Pool): void {
    if (pool.open === 0 && pool.waiting.size === 0 && pools.get(pool.target.key) === pool) pools.delete(pool.target.key);
  }

  function sweep(): void {
    const oldest = performance.now() - limits.upstreamIdleMs;
    for (const pool of pools.values()) {
      // `gone` takes them out of the list later; the longest idle come first.
      for (const connection of pool.idle.filter((kept) => kept.idleSince < oldest)) drop(pool, connection);
    }
  }

  function drop(pool: Pool, connection: Connection): void {
    pool.idle.splice(pool.idle.indexOf(connection), 1);
    connection.close();
  }

  function retire(key: string): void {
    const pool = pools.get(key);
    if (!pool) return;
    pools.delete(key);
    pool.isRetired = true;
    for (const connection of pool.idle.splice(0)) connection.close();
  }

  function close(): void {
    clearInterval(sweeper);
    for (const key of pools.keys()) retire(key);
  }
}

function nothingToCancel(): void {
  // The connection was there at once, so there is nothing left to give up.
}
