import type { PlanId } from '@paddock/contract/plans';
import { type Sql, singleRow, type Tx } from '../../../db/connect.ts';

/** The plan that a team has now; null without a subscription. For the features that depend on it. */
export async function planInForce(sql: Sql | Tx, team_id: string): Promise<PlanId | null> {
  const rows = await sql<{ plan: PlanId | null }[]>`
    select max(plan) as plan
    from billing_accounts
    where team_id = ${team_id}`;
  return singleRow(rows).plan;
}
