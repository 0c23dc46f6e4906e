import { type Sql, singleRow, type Tx } from '../../../db/connect.ts';

/** Metered bytes of this UTC month. Corrections belong to earlier months, and do not count. */
export async function bandwidthOfMonth(sql: Sql | Tx, team_id: string): Promise<number> {
  const rows = await sql<{ bytes: number }[]>`
    select coalesce(sum(amount), 0)::float8 as bytes
    from metered_days
    where team_id = ${team_id}
      and day >= date_trunc('month', now() at time zone 'UTC')
      and kind = 'bandwidth_bytes'`;
  return singleRow(rows).bytes;
}
