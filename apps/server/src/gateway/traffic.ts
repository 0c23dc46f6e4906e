import type { Sql } from '../db/connect.ts';
import { removeInBatches } from '../jobs/remove-in-batches.ts';

/** The gateway counts visits by the minute; minutes are kept for a week, and until they are summed up into hours and days. */
export const removeOldTraffic = (sql: Sql) =>
  removeInBatches(
    (rows) => sql`
      delete from traffic_minutes
      where ctid = any(array(
        select t.ctid
        from traffic_minutes t
        where t.minute < least(
          now() - interval '7 days',
          (
            select min(until) - interval '1 day'
            from rolled_up
          )
        )
        limit ${rows}
      ))`,
  );
