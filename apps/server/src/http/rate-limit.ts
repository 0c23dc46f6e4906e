import { ApiError } from '@paddock/contract';
import { type Sql, singleRow } from '../db/connect.ts';
import { removeInBatches } from '../jobs/remove-in-batches.ts';

export interface Limit {
  /** The counted subject, e.g. `login:account:ada@example.com`. */
  key: string;
  max: number;
  windowSeconds: number;
  /** Duration of the lockout after the limit is exceeded, independent of the window. Attempts during it are not counted. */
  lockSeconds?: number;
}
export type RateLimit = ReturnType<typeof rateLimit>;

/** The longest window is an hour; after a day neither the count nor the lock is used. */
export const removeOldCounts = (sql: Sql) =>
  removeInBatches(
    (rows) => sql`
      delete from rate_limits
      where ctid = any(array(
        select ctid
        from rate_limits
        where greatest(window_start, locked_until) < now() - interval '1 day'
        limit ${rows}
      ))`,
  );

/** Fixed windows on the database's clock, counted atomically, so all replicas share them and they survive a restart. */
export function rateLimit(sql: Sql) {
  return {
    /** Counts one attempt against each limit; throws too_many_attempts with an exact Retry-After once one is used up. */
    async take(limits: Limit[]) {
      for (const limit of limits) {
        const left_s = limit.lockSeconds === undefined ? await count(sql, limit) : await countOrLock(sql, limit, limit.lockSeconds);
        if (left_s !== null) throw new ApiError('too_many_attempts', { retry_after_s: left_s });
      }
    },
    /** Resets the count after a success: only failures add up. */
    async forget(key: string) {
      await sql`delete from rate_limits where key = ${key}`;
    },
  };
}

/** Seconds until the window ends if the limit is used up, else null. */
async function count(sql: Sql, { key, max, windowSeconds }: Limit): Promise<number | null> {
  const rows = await sql<{ count: number; left_s: number }[]>`
    insert into rate_limits (key, window_start, count)
    values (${key}, to_timestamp(floor(extract(epoch from now()) / ${windowSeconds}::int) * ${windowSeconds}::int), 1)
    on conflict (key, window_start) do update
    set count = rate_limits.count + 1
    returning count, extract(epoch from window_start + ${`${windowSeconds} seconds`}::interval - now())::float8 as left_s`;
  const row = singleRow(rows);
  return row.count > max ? row.left_s : null;
}

async function countOrLock(sql: Sql, limit: Limit, lockSeconds: number): Promise<number | null> {
  const held = await lockedFor(sql, limit.key, lockSeconds);
  if (held !== null) return held;
  const left_s = await count(sql, limit);
  if (left_s === null) return null;
  await sql`
    update rate_limits
    set locked_until = now() + ${`${lockSeconds} seconds`}::interval
    where key = ${limit.key}
      and count > ${limit.max}
      and locked_until is null`;
  return (await lockedFor(sql, limit.key, lockSeconds)) ?? left_s;
}

/** Never more than a whole lockout: the difference of a lock set just after this statement's `now()` could exceed it. */
async function lockedFor(sql: Sql, key: string, lockSeconds: number): Promise<number | null> {
  const rows = await sql<{ left_s: number | null }[]>`
    select extract(epoch from max(locked_until) - now())::float8 as left_s
    from rate_limits
    where key = ${key}
      and locked_until > now()`;
  const { left_s } = singleRow(rows);
  return left_s === null ? null : Math.min(left_s, lockSeconds);
}
