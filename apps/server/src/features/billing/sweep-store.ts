import type { Sql } from '../../db/connect.ts';
import { removeInBatches } from '../../jobs/remove-in-batches.ts';

/** All SQL that deletes billing data that is no longer needed. Invoices and the ledger stay. */
export const sweepStore = (sql: Sql) => ({
  /** Deletes messages accepted long ago; and data of deleted teams, once nothing is in progress. */
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
