import type { Sql } from '../../db/connect.ts';

/** Stored facts about an invoice's payment at Stripe. */
export interface StripePayment {
  team_id: string;
  invoice_id: string;
  /** Null: not created yet. */
  intent_id: string | null;
  is_void: boolean;
  /** The attempt that Stripe refused without trying the card, and why. */
  refused_attempt: number | null;
  refusal: string | null;
  /** Number of Stripe's failures: part of each key. */
  failures: number;
}
export type StripePaymentStore = ReturnType<typeof stripePaymentStore>;
interface Paid {
  team_id: string;
  invoice_id: string;
}

/** All SQL about payments at Stripe. */
export const stripePaymentStore = (sql: Sql) => {
  const columns = sql`team_id, invoice_id, intent_id, is_void, refused_attempt, refusal, failures`;
  const find = async ({ team_id, invoice_id }: Paid): Promise<StripePayment | undefined> => {
    const [row] = await sql<StripePayment[]>`
      select ${columns}
      from stripe_payments
      where team_id = ${team_id}
        and invoice_id = ${invoice_id}`;
    return row;
  };
  return {
    find,

    async findOrMake(paid: Paid): Promise<StripePayment> {
      const [made] = await sql<StripePayment[]>`
        insert into stripe_payments (team_id, invoice_id)
        values (${paid.team_id}, ${paid.invoice_id})
        on conflict (team_id, invoice_id) do nothing
        returning ${columns}`;
      const row = made ?? (await find(paid));
      if (!row) throw new Error(`the payment of ${paid.invoice_id} is gone`);
      return row;
    },

    /** The payment that a Stripe event names. */
    async byIntent(intent_id: string): Promise<StripePayment | undefined> {
      const [row] = await sql<StripePayment[]>`
        select ${columns}
        from stripe_payments
        where intent_id = ${intent_id}`;
      return row;
    },

    /** Stores the first intent and keeps it: returns the stored id. Undefined if the invoice became void. */
    async noteIntent({ team_id, invoice_id }: Paid, intent_id: string): Promise<string | undefined> {
      const [row] = await sql<{ intent_id: string }[]>`
        update stripe_payments
        set intent_id = coalesce(intent_id, ${intent_id})
        where team_id = ${team_id}
          and invoice_id = ${invoice_id}
          and not is_void
        returning intent_id`;
      return row?.intent_id;
    },

    /** Prevents payments from now on. Returns the payment that was created before, if there is one. */
    async noteVoid({ team_id, invoice_id }: Paid): Promise<string | null> {
      const [row] = await sql<[{ intent_id: string | null }]>`
        insert into stripe_payments (team_id, invoice_id, is_void)
        values (${team_id}, ${invoice_id}, true)
        on conflict (team_id, invoice_id) do update
        set is_void = true
        returning intent_id`;
      return row.intent_id;
    },

    noteRefusal: ({ team_id, invoice_id }: Paid, { attempt, reason }: { attempt: number; reason: string }) => sql`
      update stripe_payments
      set refused_attempt = ${attempt},
        refusal = ${reason}
      where team_id = ${team_id}
        and invoice_id = ${invoice_id}`,

    noteFailure: ({ team_id, invoice_id }: Paid) => sql`
      update stripe_payments
      set failures = failures + 1
      where team_id = ${team_id}
        and invoice_id = ${invoice_id}`,
  };
};
