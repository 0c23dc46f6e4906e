import type { Sql } from '../db/connect.ts';

/** The gateway counts visits by the minute; minutes are kept for a week, and until they are added up to hours and days. */
export const removeOldTraffic = (sql: Sql) => sql`
  delete from traffic_minutes
  where minute < least(now() - interval '7 days', (select min(until) from rolled_up) - interval '1 day')`;
