import type { Sql } from '../db/connect.ts';

/** The gateway counts visits by the minute; minutes are kept for a week, and until they are added up to hours and days. */
export const removeOldTraffic = (sql: Sql) => sql`
  with rolled as (
    select min(until) as until
    from rolled_up
  )
  delete from traffic_minutes
  using rolled
  where minute < least(now() - interval '7 days', rolled.until - interval '1 day')`;
