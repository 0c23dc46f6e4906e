import { ApiError } from '@paddock/contract';
import type { Sql } from '../db/connect.ts';

export interface Limit {
  /** What is counted, e.g. `login:account:ada@example.com`. */
  key: string;
  max: number;
  windowSeconds: number;
}
export type RateLimit = ReturnType<typeof rateLimit>;

/** The longest window is an hour; a day later nothing asks for a count. */
export const removeOldCounts = (sql: Sql) => sql`delete from rate_limits where window_start < now() - interval '1 day'`;

/** Fixed windows on the database's clock, counted atomically, so all replicas share them and a restart forgets nothing. */
export function rateLimit(sql: Sql) {
  return {
    /** Counts one attempt against each limit; throws too_many_attempts with a true Retry-After once one is used up. */
    async take(limits: Limit[]) {
      for (const { key, max, windowSeconds } of limits) {
        const [row] = await sql<{ count: number; left_s: number }[]>`
          insert into rate_limits (key, window_start, count)
          values (${key}, to_timestamp(floor(extract(epoch from now()) / ${windowSeconds}::int) * ${windowSeconds}::int), 1)
          on conflict (key, window_start) do update
          set count = rate_limits.count + 1
          returning count, extract(epoch from window_start + ${`${windowSeconds} seconds`}::interval - now())::float8 as left_s`;
        if (row && row.count > max) throw new ApiError('too_many_attempts', { retry_after_s: row.left_s });
      }
    },
    /** A success ends the count: only failures should add up. */
    async forget(key: string) {
      await sql`delete from rate_limits where key = ${key}`;
    },
  };
}
