import type { PlanId, PlanInForce } from '@paddock/contract/plans';
import { type Sql, singleRow, type Tx } from '../../../db/connect.ts';

export type PlanLimitStore = ReturnType<typeof planLimitStore>;

/** All SQL about plan limits: reads only. */
export const planLimitStore = (sql: Sql | Tx) => ({
  /** The plan in force: free without a subscription. */
  async plan(team_id: string): Promise<PlanInForce> {
    const rows = await sql<{ plan: PlanId | null }[]>`
      select max(plan) as plan
      from billing_accounts
      where team_id = ${team_id}`;
    return singleRow(rows).plan ?? 'free';
  },

  /** Projects that are being deleted do not count. */
  async projects(team_id: string): Promise<number> {
    const rows = await sql<{ count: number }[]>`
      select count(*)::int as count
      from projects
      where team_id = ${team_id}
        and deleting_at is null`;
    return singleRow(rows).count;
  },

  /** Metered bytes of this UTC month. Corrections belong to earlier months, and do not count. */
  async bandwidth(team_id: string): Promise<number> {
    const rows = await sql<{ bytes: number }[]>`
      select coalesce(sum(amount), 0)::float8 as bytes
      from metered_days
      where team_id = ${team_id}
        and day >= date_trunc('month', now() at time zone 'UTC')
        and kind = 'bandwidth_bytes'`;
    return singleRow(rows).bytes;
  },

  /**
   * Bytes of PostgreSQL databases, which the storage limit covers even for databases that are read-only. Redis uses memory, with a limit of its own.
   */
  async storage(team_id: string): Promise<number> {
    const rows = await sql<{ bytes: number }[]>`
      select coalesce(sum(size_bytes), 0)::float8 as bytes
      from databases
      where team_id = ${team_id}
        and mode = 'managed'
        and type = 'postgresql'`;
    return singleRow(rows).bytes;
  },
});
