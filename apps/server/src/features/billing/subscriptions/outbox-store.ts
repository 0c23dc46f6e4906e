import type { ProviderCommand } from '@paddock/billing';
import type { Sql, Tx } from '../../../db/connect.ts';

/** Messages for the provider: commands of the billing computation, and the deletion of a deleted team's customer. */
export type OutboxMessage = ProviderCommand | { kind: 'forget'; key: string; provider: string; customer_id: string };
export interface PendingMessage {
  seq: number;
  message: OutboxMessage;
  tries: number;
  /** The provider through which the account was paid; its messages are only for that provider. */
  provider: string | null;
  /** A charge whose payment a later message voids: it is not executed any more. */
  is_dropped: boolean;
}
export type OutboxStore = ReturnType<typeof outboxStore>;

/** All SQL of the outbox. */
export const outboxStore = (sql: Sql) => ({
  ...appends,
  ...claims(sql),

  /** The next message, if it is due. */
  async next(team_id: string, now: Date): Promise<PendingMessage | undefined> {
    const [row] = await sql<(Omit<PendingMessage, 'message'> & { key: string; body: object; is_due: boolean })[]>`
      select
        o.seq, o.key, o.body, o.tries, a.provider, o.next_try_at <= ${now.toISOString()} as is_due,
        o.body ->> 'kind' = 'charge' and exists (
          select 1
          from billing_orders v
          where v.team_id = o.team_id
            and v.seq > o.seq
            and v.body ->> 'kind' = 'void'
            and v.body ->> 'invoice_id' = o.body ->> 'invoice_id'
        ) as is_dropped
      from billing_orders o
      left join billing_accounts a on a.team_id = o.team_id
      where o.team_id = ${team_id}
        and o.taken_at is null
      order by o.seq
      limit 1`;
    if (!row?.is_due) return undefined;
    const { seq, key, body, tries, provider, is_dropped } = row;
    return { seq, message: { ...body, key } as OutboxMessage, tries, provider, is_dropped };
  },

  markDelivered: (team_id: string, seq: number, now: Date) => sql`
    update billing_orders
    set taken_at = ${now.toISOString()}, last_error = null
    where team_id = ${team_id}
      and seq = ${seq}`,

  markFailed: (team_id: string, seq: number, { error, next_try_at }: { error: string; next_try_at: Date }) => sql`
    update billing_orders
    set tries = tries + 1, last_error = ${error.slice(0, 500)}, next_try_at = ${next_try_at.toISOString()}
    where team_id = ${team_id}
      and seq = ${seq}`,

  /** Makes messages that wait after a failure due at once, because a person requests it. */
  makeDue: (team_id: string, now: Date) => sql`
    update billing_orders
    set next_try_at = ${now.toISOString()}
    where team_id = ${team_id}
      and taken_at is null
      and next_try_at > ${now.toISOString()}`,

  /** Teams whose next message is due, the longest due first. */
  async dueTeams(now: Date, limit: number): Promise<string[]> {
    const rows = await sql<{ team_id: string }[]>`
      select team_id
      from (
        select distinct on (team_id) team_id, next_try_at
        from billing_orders
        where taken_at is null
        order by team_id, seq
      ) o
      where next_try_at <= ${now.toISOString()}
      order by next_try_at, team_id
      limit ${limit}`;
    return rows.map(({ team_id }) => team_id);
  },

  /** Messages that the provider has repeatedly failed to accept. */
  failing: (tries: number, limit: number) => sql<{ team_id: string; key: string; tries: number; last_error: string | null }[]>`
    select team_id, key, tries, last_error
    from billing_orders
    where taken_at is null
      and tries >= ${tries}
    order by seq
    limit ${limit}`,
});

/** Writes in the transaction of the event that causes them. */
const appends = {
  append: (tx: Tx, team_id: string, { message: { key, ...body }, at }: { message: ProviderCommand; at: number }) => tx`
    insert into billing_orders (team_id, key, body, next_try_at)
    values (${team_id}, ${key}, ${tx.json(body)}, ${new Date(at).toISOString()})
    on conflict do nothing`,

  /** Outbox messages for another provider are never sent to this one. */
  dropAll: (tx: Tx, team_id: string, at: number) => tx`
    update billing_orders
    set taken_at = ${new Date(at).toISOString()}, last_error = 'The payment provider was changed.'
    where team_id = ${team_id}
      and taken_at is null
      and body ->> 'kind' <> 'forget'`,

  /** Queues the deletion of a deleted team's customers, after its earlier messages. */
  forgetCustomers: (tx: Tx, team_id: string, at: Date) => tx`
    insert into billing_orders (team_id, key, body, next_try_at)
    select
      team_id, 'forget ' || provider, jsonb_build_object('kind', 'forget', 'provider', provider, 'customer_id', customer_id),
      ${at.toISOString()}
    from billing_customers
    where team_id = ${team_id}
    on conflict do nothing`,
};

/** Leases of the delivery for a team: one server at a time, for a bounded time, so that no connection waits while the provider is called. */
const claims = (sql: Sql) => ({
  /** Leases the delivery of the team's messages to this server; false if another server holds the lease. */
  async claim(team_id: string, seconds: number): Promise<boolean> {
    const claimed = await sql`
      update billing_accounts
      set handing_until = clock_timestamp() + make_interval(secs => ${seconds})
      where team_id = ${team_id}
        and (handing_until is null or handing_until < clock_timestamp())
      returning 1`;
    return claimed.length > 0;
  },

  release: (team_id: string) => sql`
    update billing_accounts
    set handing_until = null
    where team_id = ${team_id}`,

  /** Extends the lease. */
  extendClaim: (team_id: string, seconds: number) => sql`
    update billing_accounts
    set handing_until = clock_timestamp() + make_interval(secs => ${seconds})
    where team_id = ${team_id}`,
});
