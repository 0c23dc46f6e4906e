import { type Account, type BillingEvent, type Document, type Entry, newAccount, nextDeadline, type Outcome } from '@paddock/billing';
import type { PaymentMethod } from '@paddock/contract';
import type { Sql, Tx } from '../../../db/connect.ts';
import type { ProviderId } from '../../../payments/provider.ts';
import { accountFrom, toJson } from './account-json.ts';

/** The newest attempt of the newest payment, as reported by the provider. `running`: there is no result, or no request yet. */
export interface PaymentAttempt {
  invoice_id: string;
  attempt: number;
  state: 'running' | 'needs_confirmation' | 'declined' | 'paid';
  reason: string | null;
}
/** An account as it is stored, with fields outside the billing computation. */
export interface AccountRow {
  account: Account;
  subscription_id: string | null;
  payment: PaymentAttempt | null;
  gone_at: string | null;
  /** The provider through which it was paid; null: none yet. */
  provider: ProviderId | null;
}
/** The effect of an event on an account. */
export interface Change {
  before: AccountRow;
  after: AccountRow;
  outcome: Outcome;
  event: BillingEvent;
}

export type AccountStore = ReturnType<typeof accountStore>;

type Stored = Omit<AccountRow, 'account'> & { account: unknown };

/** Seller and tax rate, as every document stores them. */
export interface Terms {
  tax_basis_points: number;
  seller: object;
}

/** All SQL of applying events: the locked account, and the writes of an outcome. */
export const accountStore = (sql: Sql) => ({
  begin: <T>(work: (tx: Tx) => Promise<T>): Promise<T> => sql.begin(work) as Promise<T>,

  /** The account, locked until the transaction ends; created on first use. Undefined for a team that does not exist. */
  async lock(tx: Tx, team_id: string): Promise<AccountRow | undefined> {
    await tx`
      insert into billing_accounts (team_id, status, account)
      select id, 'none', ${tx.json(toJson(newAccount(team_id)) as never)}
      from teams
      where id = ${team_id}
      on conflict do nothing`;
    return rowFrom(
      await tx<Stored[]>`
        select subscription_id, account, payment, gone_at, provider
        from billing_accounts
        where team_id = ${team_id}
        for update`,
    );
  },

  /** The current account; a new one for a team without any. */
  async read(team_id: string): Promise<AccountRow> {
    const rows = await sql<Stored[]>`
      select subscription_id, account, payment, gone_at, provider
      from billing_accounts
      where team_id = ${team_id}`;
    return rowFrom(rows) ?? { account: newAccount(team_id), subscription_id: null, payment: null, gone_at: null, provider: null };
  },

  /** Whether one of these event keys is stored already. */
  async isAnswered(tx: Tx, team_id: string, keys: string[]): Promise<boolean> {
    const known = await tx`
      select 1
      from billing_events
      where team_id = ${team_id}
        and key = any(${keys})
      limit 1`;
    return known.length > 0;
  },

  writeKeys: (tx: Tx, team_id: string, { keys, at }: { keys: string[]; at: number }) => tx`
    insert into billing_events (team_id, key, at)
    select ${team_id}, key, ${time(at)}
    from unnest(${keys}::text[]) key`,

  /** `look_at`: when the provider is polled for the payment's result, if no webhook event arrives. */
  write: (tx: Tx, { account, subscription_id, payment, gone_at, provider }: AccountRow, look_at: number | null) => tx`
    update billing_accounts
    set
      subscription_id = ${subscription_id}, status = ${account.status}, plan = ${account.plan}, account = ${tx.json(toJson(account) as never)},
      due_at = ${gone_at === null ? dueAt(account) : null}, payment = ${payment === null ? null : tx.json(payment as never)},
      look_at = ${look_at === null ? null : time(look_at)}, looks = 0,
      gone_at = ${gone_at}, provider = ${provider}
    where team_id = ${account.team_id}`,

  beginSpan: (tx: Tx, team_id: string, at: number) => tx`
    insert into billing_spans (team_id, from_at)
    values (${team_id}, ${time(at)})`,

  endSpan: (tx: Tx, team_id: string, at: number) => tx`
    update billing_spans
    set until_at = greatest(from_at, ${time(at)})
    where team_id = ${team_id}
      and until_at is null`,

  ...providerChanges,
  ...documents,

  writeEntry: (tx: Tx, { team_id, id, kind, at, postings }: Entry) => tx`
    insert into billing_entries (team_id, id, kind, at, postings)
    values (${team_id}, ${id}, ${kind}, ${time(at)}, ${tx.json(postings)})`,
});

/** Additional writes of a change of the payment provider. */
const providerChanges = {
  setProvider: (tx: Tx, team_id: string, provider: ProviderId) => tx`
    update billing_accounts
    set provider = ${provider}
    where team_id = ${team_id}`,

  /** Usage of days that were paid through another provider is never invoiced. */
  dropSpans: (tx: Tx, team_id: string) => tx`
    delete from billing_spans
    where team_id = ${team_id}`,
};

const documents = {
  /** Assigns the document the next number of the installation. Others wait until the transaction ends, so that a rollback leaves no gap. */
  async writeDocument(tx: Tx, { id, team_id, kind, at, bill, corrects }: Document, { tax_basis_points, seller }: Terms): Promise<number> {
    const [{ number }] = await tx<[{ number: number }]>`
      update billing_numbers
      set last = last + 1
      returning last as number`;
    await tx`
      insert into billing_documents (id, number, team_id, kind, at, bill, corrects, tax_basis_points, seller, buyer)
      values (
        ${id}, ${number}, ${team_id}, ${kind}, ${time(at)}, ${tx.json(toJson(bill) as never)}, ${corrects}, ${tax_basis_points},
        ${tx.json(seller as never)}, ${selectBuyer(tx, team_id)}
      )`;
    return number;
  },

  async readDocumentNumber(tx: Tx, team_id: string, document_id: string): Promise<number | undefined> {
    const [row] = await tx<{ number: number }[]>`
      select number
      from billing_documents
      where team_id = ${team_id}
        and id = ${document_id}`;
    return row?.number;
  },
};

/** The buyer on invoices: the team's saved details, else its first member; for a deleted team the buyer of its last invoice. */
const selectBuyer = (tx: Tx, team_id: string) => tx`
  coalesce(
    (
      select buyer
      from billing_buyers
      where team_id = ${team_id}
    ),
    (
      select jsonb_build_object('name', u.name, 'email', u.email)
      from team_members m
      join users u on u.id = m.user_id
      where m.team_id = ${team_id}
      order by u.created_at, u.id
      limit 1
    ),
    (
      select buyer
      from billing_documents
      where team_id = ${team_id}
      order by number desc
      limit 1
    ),
    '{}'
  )`;

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
  async find(team_id: string, tx: Sql | Tx = sql): Promise<Customer | undefined> {
    const [row] = await tx<Customer[]>`
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

function rowFrom([row]: readonly Stored[]): AccountRow | undefined {
  return row && { ...row, account: accountFrom(row.account), payment: row.payment };
}

const time = (at: number) => new Date(at).toISOString();
const dueAt = (account: Account) => {
  const due = nextDeadline(account);
  return due === undefined ? null : time(due.at);
};
