import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import type { Sql } from './sql.ts';

/** Creates a client of the driver. The client calls `onBroken` when a connection that had worked is lost. */
type Make = (onBroken: () => void) => Sql;

const retireSeconds = 10;
const listenAgainMs = [50, 200, 500, 1000];
const heartbeatMs = 15_000;
/** The end of a lost connection arrives within moments; this bounds the wait. */
const lostMs = 5_000;
const maxTries = 3;

/**
 * The driver's client, which survives lost connections. After a connection broke, the driver may write to the broken connection, send its
 * remaining bytes before the next greeting, or report an old error as a new one. A pool is therefore abandoned once one of its connections
 * broke: a new pool replaces it, and the old pool ends with its last query. Transactions that PostgreSQL aborted in favour of others are
 * retried.
 */
export function reconnectingClient(make: Make): Sql {
  let current: Sql | undefined;
  let isEnding = false;
  const listeners = new Set<{ close: () => Promise<void> }>();

  function now(): Sql {
    if (current) return current;
    const one: Sql = make(() => {
      if (current !== one || isEnding) return;
      current = undefined;
      void one.end({ timeout: retireSeconds });
    });
    current = one;
    return one;
  }

  async function begin<T>(work: (tx: postgres.TransactionSql<{ bigint: number; timestamp: string }>) => T): Promise<Awaited<T>> {
    for (let tries = 1; ; tries++)
      try {
        return await transaction(now(), work);
      } catch (error) {
        if (tries >= maxTries || !isGivenWay(error)) throw error;
        await sleep(Math.random() * 50 * tries);
      }
  }

  async function listen(channel: string, heard: (payload: string) => void, onListening: () => void) {
    const listener = lastingListener(make, { channel, heard, onListening });
    listeners.add(listener);
    await listener.first;
    return { state: undefined, unlisten: () => listener.close() };
  }

  async function end(options?: { timeout?: number }) {
    isEnding = true;
    await Promise.all([...[...listeners].map((one) => one.close()), now().end(options)]);
  }

  const own: Record<PropertyKey, unknown> = { begin, listen, end };
  return new Proxy(Object.assign(() => undefined, {}) as unknown as Sql, {
    apply: (_target, _this, args: unknown[]) => Reflect.apply(now(), undefined, args),
    get: (_target, key) => own[key] ?? Reflect.get(now(), key),
  });
}

/** Deadlocks and serialization failures: everything was rolled back, and the retry finds the other transactions finished. */
const isGivenWay = (error: unknown) => /^40(001|P01)$/.test((error as { code?: string } | null)?.code ?? '');

/** After its connection is lost a transaction sends neither a rollback nor queries, which would run outside the transaction. */
async function transaction<T>(
  sql: Sql,
  work: (tx: postgres.TransactionSql<{ bigint: number; timestamp: string }>) => T,
): Promise<Awaited<T>> {
  const lost = Promise.withResolvers<void>();
  let isGone = false;
  // The driver would continue with a commit or a rollback; the caller already has its error.
  const silence = () => new Promise<never>(() => undefined);
  const done = sql.begin(async (tx) => {
    try {
      const result = await work(guarded(tx, () => isGone));
      return isGone ? await silence() : result;
    } catch (error) {
      if (isLost(error)) await Promise.race([lost.promise, sleep(lostMs, undefined, { ref: false })]);
      if (isGone) await silence();
      throw error;
    }
  });
  done.catch(() => {
    isGone = true;
    lost.resolve();
  });
  return (await done) as Awaited<T>;
}

/**
 * Refuses each further statement once the connection is lost. Otherwise the driver would throw an error that nobody can catch, which ends
 * the process.
 */
function guarded<T extends object>(tx: T, isGone: () => boolean): T {
  const refuse = () => {
    if (isGone()) throw Object.assign(new Error('the connection of the transaction was lost'), { code: 'CONNECTION_CLOSED' });
  };
  return new Proxy(tx, {
    apply(target, _this, args: unknown[]) {
      refuse();
      return Reflect.apply(target as (...given: unknown[]) => unknown, undefined, args);
    },
    get(target, key) {
      const found: unknown = Reflect.get(target, key);
      if (typeof found !== 'function' || !SENDING.has(key)) return found;
      return (...args: unknown[]) => {
        refuse();
        return Reflect.apply(found, target, args);
      };
    },
  });
}

/** Properties that send a statement, besides a call of the transaction itself. */
const SENDING = new Set<PropertyKey>(['unsafe', 'file', 'savepoint', 'notify']);

const isLost = (error: unknown) =>
  /^(CONNECTION_(CLOSED|DESTROYED|ENDED)|ECONNRESET|EPIPE|ETIMEDOUT)$/.test((error as { code?: string } | null)?.code ?? '');

interface Listening {
  channel: string;
  heard: (payload: string) => void;
  onListening: () => void;
}

/** Listens on a separate connection, which is reopened whenever it is lost. A heartbeat detects losses that nothing else shows. */
function lastingListener(make: Make, { channel, heard, onListening }: Listening) {
  const closing = new AbortController();
  let broken = Promise.withResolvers<void>();
  const first = Promise.withResolvers<void>();
  let failures = 0;

  async function once() {
    broken = Promise.withResolvers();
    const { resolve } = broken;
    const sql = make(resolve);
    try {
      await sql.listen(channel, heard);
      failures = 0;
      first.resolve();
      onListening();
      while (!closing.signal.aborted) {
        const beat = sleep(heartbeatMs, 'beat', { signal: closing.signal, ref: false }).catch(() => 'closing');
        if ((await Promise.race([broken.promise, beat])) !== 'beat') return;
        const { unlisten } = await sql.listen(`${channel}_heartbeat`, () => undefined);
        await unlisten();
      }
    } finally {
      await sql.end({ timeout: 0 });
    }
  }

  async function loop() {
    while (!closing.signal.aborted) {
      await once().catch((error: unknown) => first.reject(error)); // the first failure is reported; later attempts end by themselves
      const pause = listenAgainMs[Math.min(failures++, listenAgainMs.length - 1)];
      await sleep(pause, undefined, { signal: closing.signal }).catch(() => 'closing');
    }
  }
  const looping = loop();
  return {
    first: first.promise,
    async close() {
      closing.abort();
      await looping;
    },
  };
}
