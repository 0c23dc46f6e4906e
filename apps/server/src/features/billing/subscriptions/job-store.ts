import type { Sql } from '../../../db/connect.ts';
import { removeInBatches } from '../../../jobs/remove-in-batches.ts';
import type { ProviderId } from '../../../payments/provider.ts';

interface TeamRow {
  team_id: string;
}
export interface PendingPayment extends TeamRow {
  invoice_id: string;
  looks: number;
}
export interface Span {
  from: number;
  until: number | null;
}
export type JobStore = ReturnType<typeof jobStore>;

const maxWriteOffs = 100;

/** All SQL of the periodic jobs: which teams have work, and the deletion of billing data that is no longer needed. */
export const jobStore = (sql: Sql) => ({
  ...polls(sql),
  ...months(sql),

  /** Teams with an expired timer. */
  teamsWithDueTimer: (now: Date, limit: number) => sql<TeamRow[]>`
    select team_id
    from billing_accounts
    where due_at <= ${now.toISOString()}
    order by due_at, team_id
    limit ${limit}`,

  /** Teams whose debts the operator writes off. */
  writeOffs: () => sql<TeamRow[]>`
    select team_id
    from billing_write_offs
    order by team_id
    limit ${maxWriteOffs}`,

  endWriteOff: (team_id: string) => sql`
    delete from billing_write_offs
    where team_id = ${team_id}`,

  /** Teams whose account belongs to one of the given providers. */
  teamsOfProviders: (providers: readonly ProviderId[], limit: number) => sql<TeamRow[]>`
    select team_id
    from billing_accounts
    where provider = any(${[...providers]})
      and gone_at is null
    order by team_id
    limit ${limit}`,

  /** Deletes messages accepted long ago; and data of deleted teams, once nothing is in progress. Invoices and the ledger stay. */
  async sweep(): Promise<void> {
    await removeInBatches(
      (rows) => sql`
        delete from billing_orders
        where ctid = any(array(
          select ctid
          from billing_orders
          where taken_at < now() - interval '400 days'
          limit ${rows}
        ))`,
    );
    await sql`
      with gone as (
        delete from billing_accounts a
        where gone_at < now() - interval '90 days'
          and not exists (
            select 1
            from billing_orders o
            where o.team_id = a.team_id
              and o.taken_at is null
          )
        returning team_id
      ),
      spans as (
        delete from billing_spans
        where team_id in (
          select team_id
          from gone
        )
      )
      delete from billing_events
      where team_id in (
        select team_id
        from gone
      )`;
  },
});

/** Payments without a webhook event. */
const polls = (sql: Sql) => ({
  duePayments: (now: Date, limit: number) => sql<PendingPayment[]>`
    select team_id, payment ->> 'invoice_id' as invoice_id, looks
    from billing_accounts
    where look_at <= ${now.toISOString()}
    order by look_at, team_id
    limit ${limit}`,

  /** Does nothing if an event arrived meanwhile, which resets the count. */
  postponePoll: ({ team_id, looks }: PendingPayment, at: Date) => sql`
    update billing_accounts
    set look_at = ${at.toISOString()}, looks = looks + 1
    where team_id = ${team_id}
      and look_at is not null
      and looks = ${looks}`,
});

/** Accounts that lack a closed month. */
const months = (sql: Sql) => ({
  /** Teams with a subscription after the last month that their account contains, and before `until`, the end of the newest closed month. */
  teamsBehind: ({ month, until }: { month: string; until: Date }, limit: number) => sql<(TeamRow & { closed_through: string | null })[]>`
    select team_id, account ->> 'closed_through' as closed_through
    from billing_accounts a
    where gone_at is null
      and coalesce(account ->> 'closed_through', '') < ${month}
      and exists (
        select 1
        from billing_spans s
        where s.team_id = a.team_id
          and s.from_at < ${until.toISOString()}
          and coalesce(s.until_at, 'infinity') > coalesce(
            ((account ->> 'closed_through') || '-01')::date::timestamp at time zone 'UTC' + interval '1 month',
            '-infinity'
          )
      )
    order by team_id
    limit ${limit}`,

  /** The periods in which the team had a subscription. */
  async spans(team_id: string): Promise<Span[]> {
    const rows = await sql<{ from_at: string; until_at: string | null }[]>`
      select from_at, until_at
      from billing_spans
      where team_id = ${team_id}
      order by from_at`;
    return rows.map(({ from_at, until_at }) => ({ from: Date.parse(from_at), until: until_at === null ? null : Date.parse(until_at) }));
  },
});
