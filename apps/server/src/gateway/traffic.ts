import type { Sql } from '../db/connect.ts';

/** The gateway counts visits by the minute; they are kept for 30 days. */
export const removeOldTraffic = (sql: Sql) => sql`delete from traffic_minutes where minute < now() - interval '30 days'`;
