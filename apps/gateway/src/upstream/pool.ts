import type { Limits } from '../limits.ts';
import type { Target } from '../routing-table.ts';
import { type Acquired, type Connection, openConnection } from './connection.ts';

export interface UpstreamPool {
  /**
   * Gives a connection to the target, a kept one or a new one. `mayRepeat` tells that the request does no harm when it is
   * sent twice; only then is a connection used that the agent may just be closing. A visitor who holds its share waits although
   * there are connections left. Returns how to give up waiting.
   */
  acquire: (target: Target, mayRepeat: boolean, visitor: string, done: Acquired) => () => void;
  release: (connection: Connection, isReusable: boolean) => void;
  /** No route leads there any more: requests on the way finish, kept connections close. */
  retire: (key: string) => void;
  close: () => void;
}

export class PoolBusy extends Error {
  override name = 'PoolBusy';
}

interface Waiter {
  visitor: string;
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
  /** Connections at work or opening, by visitor. */
  held: Map<string, number>;
  isRetired: boolean;
}

export function upstreamPool(limits: Limits): UpstreamPool {
  const pools = new Map<string, Pool>();
  const poolOf = new WeakMap<Connection, Pool>();
  const holderOf = new WeakMap<Connection, string>();
  const sweeper = setInterval(sweep, 1_000);
  sweeper.unref();

  return { acquire, release, retire, close };

  function acquire(target: Target, mayRepeat: boolean, visitor: string, done: Acquired): () => void {
    let pool = pools.get(target.key);
    if (!pool) pools.set(target.key, (pool = { target, open: 0, idle: [], waiting: new Set(), held: new Map(), isRetired: false }));
    if (hasItsShare(pool, visitor)) return wait(pool, visitor, done);
    const kept = takeIdle(pool, mayRepeat);
    if (kept) {
      lend(pool, kept, visitor);
      done(undefined, kept);
      return nothingToCancel;
    }
    if (pool.open >= limits.socketsPerTarget && pool.idle.length > 0) pool.idle.shift()!.close();
    else if (pool.open >= limits.socketsPerTarget) return wait(pool, visitor, done);
    return open(pool, visitor, done);
  }

  function hasItsShare(pool: Pool, visitor: string): boolean {
    return (pool.held.get(visitor) ?? 0) >= limits.socketsPerVisitor;
  }

  function lend(pool: Pool, connection: Connection, visitor: string): void {
    holderOf.set(connection, visitor);
    pool.held.set(visitor, (pool.held.get(visitor) ?? 0) + 1);
  }

  function takeBack(pool: Pool, visitor: string | undefined): void {
    if (visitor === undefined) return;
    const left = (pool.held.get(visitor) ?? 0) - 1;
    if (left > 0) pool.held.set(visitor, left);
    else pool.held.delete(visitor);
  }

  function takeIdle(pool: Pool, mayRepeat: boolean): Connection | undefined {
    const last = pool.idle.at(-1);
    if (!last || (!mayRepeat && performance.now() - last.idleSince > limits.upstreamFreshMs)) return undefined;
    return pool.idle.pop();
  }

  function open(pool: Pool, visitor: string, done: Acquired): () => void {
    pool.open += 1;
    let opening: string | undefined = visitor;
    pool.held.set(visitor, (pool.held.get(visitor) ?? 0) + 1);
    return openConnection(
      pool.target,
      limits,
      {
        done: (error, connection) => {
          if (connection) {
            poolOf.set(connection, pool);
            holderOf.set(connection, visitor);
            opening = undefined;
          }
          done(error, connection);
        },
        gone: (connection) => {
          pool.open -= 1;
          takeBack(pool, opening ?? holderOf.get(connection));
          holderOf.delete(connection);
          const at = pool.idle.indexOf(connection);
          if (at >= 0) pool.idle.splice(at, 1);
          openForWaiting(pool);
          forgetIfUnused(pool);
        },
      },
      false,
    );
  }

  function wait(pool: Pool, visitor: string, done: Acquired): () => void {
    if (pool.waiting.size >= limits.waitingPerTarget) {
      done(new PoolBusy('too many requests wait for a connection'), undefined);
      return nothingToCancel;
    }
    const giveUp = () => {
      pool.waiting.delete(waiter);
      done(new PoolBusy('no connection became free in time'), undefined);
    };
    const waiter: Waiter = { visitor, done, timer: setTimeout(giveUp, limits.waitingMs) };
    pool.waiting.add(waiter);
    return () => {
      clearTimeout(waiter.timer);
      pool.waiting.delete(waiter);
    };
  }

  function release(connection: Connection, isReusable: boolean): void {
    const pool = poolOf.get(connection)!;
    takeBack(pool, holderOf.get(connection));
    holderOf.delete(connection);
    if (!isReusable || pool.isRetired) {
      connection.close();
      return;
    }
    connection.isReused = true;
    const next = nextWaiting(pool);
    if (next) {
      lend(pool, connection, next.visitor);
      next.done(undefined, connection);
      return;
    }
    connection.idleSince = performance.now();
    pool.idle.push(connection);
  }

  function openForWaiting(pool: Pool): void {
    if (pool.open >= limits.socketsPerTarget) return;
    const next = nextWaiting(pool);
    if (next) open(pool, next.visitor, next.done);
  }

  function nextWaiting(pool: Pool): Waiter | undefined {
    let next: Waiter | undefined;
    for (const waiter of pool.waiting) {
      if (hasItsShare(pool, waiter.visitor)) continue;
      next = waiter;
      break;
    }
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
