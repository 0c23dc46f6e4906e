import type { Sql } from '../../../db/connect.ts';

export interface PendingPayment {
  team_id: string;
  invoice_id: string;
  looks: number;
}
export type PollStore = ReturnType<typeof pollStore>;

/** All SQL about payments without a webhook event. */
export const pollStore = (sql: Sql) => ({
  due: (now: Date, limit: number) => sql<PendingPayment[]>`
    select team_id, payment ->> 'invoice_id' as invoice_id, looks
    from billing_accounts
    where look_at <= ${now.toISOString()}
    order by look_at, team_id
    limit ${limit}`,

  /** Does nothing if an event arrived meanwhile, which resets the count. */
  postpone: ({ team_id, looks }: PendingPayment, at: Date) => sql`
    update billing_accounts
    set look_at = ${at.toISOString()}, looks = looks + 1
    where team_id = ${team_id}
      and look_at is not null
      and looks = ${looks}`,
});
