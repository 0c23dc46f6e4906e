import type { PaymentMethod } from '@paddock/contract';
import type { Sql, Tx } from '../../../db/connect.ts';

export interface Customer {
  customer_id: string;
  payment_method: PaymentMethod | null;
}
export interface SavedMethod {
  method: PaymentMethod;
  at: Date;
}
export type CustomerStore = ReturnType<typeof customerStore>;

/** All SQL about customers and payment methods at a provider. */
export const customerStore = (sql: Sql, provider: string) => ({
  async find(team_id: string): Promise<Customer | undefined> {
    const [row] = await sql<Customer[]>`
      select customer_id, payment_method
      from billing_customers
      where team_id = ${team_id}
        and provider = ${provider}`;
    return row;
  },

  /** The name and mail address of the customer for the provider. */
  async payer(team_id: string): Promise<{ name: string; email: string }> {
    const [row] = await sql<{ name: string; email: string }[]>`
      select t.name, u.email
      from teams t
      join team_members m on m.team_id = t.id
      join users u on u.id = m.user_id
      where t.id = ${team_id}
      order by u.created_at, u.id
      limit 1`;
    return row ?? { name: '', email: '' };
  },

  add: (team_id: string, customer_id: string) => sql`
    insert into billing_customers (team_id, provider, customer_id)
    values (${team_id}, ${provider}, ${customer_id})
    on conflict (team_id, provider) do nothing`,

  save: (tx: Tx, team_id: string, { method, at }: SavedMethod) => tx`
    update billing_customers
    set payment_method = ${tx.json(method)}, saved_at = ${at.toISOString()}
    where team_id = ${team_id}
      and provider = ${provider}`,

  /** Removes the saved method, unless it was saved after the instant. */
  dropMethod: (tx: Tx, team_id: string, savedUntil: number) => tx`
    update billing_customers
    set payment_method = null
    where team_id = ${team_id}
      and provider = ${provider}
      and (saved_at is null or saved_at <= ${new Date(savedUntil).toISOString()})`,
});
