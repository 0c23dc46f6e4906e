import type { Sql, Tx } from '../db/connect.ts';

/** A payment of the test provider. */
export interface TestPayment {
  invoice_id: string;
  payment_id: string;
  cents: number;
  state: 'none' | 'running' | 'paid' | 'declined' | 'needs_confirmation' | 'void';
  attempt: number;
  payment_method_id: string;
  reason: string | null;
  /** Time at which a slow payment succeeds. */
  settles_at: string | null;
  /** Number of calls of this attempt without a response. */
  silences: number;
  paid_back_cents: number;
}
export type TestProviderStore = ReturnType<typeof testProviderStore>;

/** All SQL of the test provider. */
export const testProviderStore = (sql: Sql) => ({
  begin: <T>(work: (tx: Tx) => Promise<T>) => sql.begin(work) as Promise<T>,

  /** The customer of a team; the given id becomes its id the first time. */
  async customer(team_id: string, customer_id: string): Promise<string> {
    await sql`
      insert into test_customers (team_id, customer_id)
      values (${team_id}, ${customer_id})
      on conflict (team_id) do nothing`;
    const [row] = await sql<[{ customer_id: string }]>`
      select customer_id
      from test_customers
      where team_id = ${team_id}`;
    return row.customer_id;
  },

  async isCustomer(team_id: string, customer_id: string): Promise<boolean> {
    const rows = await sql`
      select 1
      from test_customers
      where team_id = ${team_id}
        and customer_id = ${customer_id}`;
    return rows.length > 0;
  },

  async forget(team_id: string): Promise<void> {
    await sql`
      delete from test_customers
      where team_id = ${team_id}`;
  },

  /** Creates the payment of an invoice unless it exists. */
  async make(tx: Tx, team_id: string, { invoice_id, payment_id, cents, payment_method_id }: NewTestPayment): Promise<void> {
    await tx`
      insert into test_payments (team_id, invoice_id, payment_id, cents, state, attempt, payment_method_id)
      values (${team_id}, ${invoice_id}, ${payment_id}, ${cents}, 'none', 0, ${payment_method_id})
      on conflict (team_id, invoice_id) do nothing`;
  },

  /** Locks the payment until the transaction ends. */
  async locked(tx: Tx, team_id: string, by: { invoice_id: string } | { payment_id: string }): Promise<TestPayment | undefined> {
    const [payment] = await tx<TestPayment[]>`
      select invoice_id, payment_id, cents, state, attempt, payment_method_id, reason, settles_at, silences, paid_back_cents
      from test_payments
      where team_id = ${team_id}
        and ${'invoice_id' in by ? tx`invoice_id = ${by.invoice_id}` : tx`payment_id = ${by.payment_id}`}
      for update`;
    return payment;
  },

  async write(tx: Tx, team_id: string, payment: TestPayment): Promise<void> {
    await tx`
      update test_payments
      set ${tx(payment, 'cents', 'state', 'attempt', 'payment_method_id', 'reason', 'settles_at', 'silences', 'paid_back_cents')}
      where team_id = ${team_id}
        and invoice_id = ${payment.invoice_id}`;
  },

  /** Returns false if the key was used before. */
  async isNew(tx: Tx, team_id: string, key: string): Promise<boolean> {
    const rows = await tx`
      insert into test_payment_keys (team_id, key)
      values (${team_id}, ${key})
      on conflict do nothing
      returning 1`;
    return rows.length > 0;
  },
});

type NewTestPayment = Pick<TestPayment, 'invoice_id' | 'payment_id' | 'cents' | 'payment_method_id'>;
