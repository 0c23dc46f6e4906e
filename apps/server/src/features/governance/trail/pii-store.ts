import type { PiiStats } from '@paddock/contract';
import type { Sql } from '../../../db/connect.ts';

export type PiiStore = ReturnType<typeof piiStore>;

/** All SQL on findings of the detector. */
export const piiStore = (sql: Sql) => ({
  async stats(
    team_id: string,
    { date_from, date_to }: { date_from?: string | undefined; date_to?: string | undefined },
  ): Promise<PiiStats> {
    const within = sql`
      team_id = ${team_id}
      ${date_from === undefined ? sql`` : sql`and hour >= date_trunc('hour', ${date_from}::timestamptz, 'UTC')`}
      ${date_to === undefined ? sql`` : sql`and hour <= ${date_to}::timestamptz`}`;
    const [sums] = await sql<[Omit<PiiStats, 'types_detected'>]>`
      select coalesce(sum(scans), 0)::bigint as total_scans, coalesce(sum(detected), 0)::bigint as pii_detected,
        coalesce(sum(redacted), 0)::bigint as auto_redacted
      from pii_hours
      where ${within}`;
    const types = await sql<{ type: string; found: number }[]>`
      select type, sum(count::bigint)::bigint as found
      from pii_hours, jsonb_each_text(types) as counted (type, count)
      where ${within}
      group by type
      order by found desc, type`;
    return { ...sums, types_detected: Object.fromEntries(types.map(({ type, found }) => [type, found])) };
  },
});
