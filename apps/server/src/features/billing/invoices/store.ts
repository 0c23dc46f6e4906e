import type { Line } from '@paddock/billing';
import { ApiError, type BillingDetails, type Invoice } from '@paddock/contract';
import { recordAction } from '../../../audit/record-action.ts';
import type { Sql } from '../../../db/connect.ts';

/** Amounts in whole cents, as in the billing package; quantities as strings. */
interface StoredBill {
  lines: (Omit<Line, 'quantity'> & { quantity?: string })[];
  sum_cents: number;
  credit_cents: number;
  tax_cents: number;
  total_cents: number;
  prepaid_cents: number;
  due_cents: number;
}

/** A seller or a buyer as stored in documents. Older ones may lack newer fields. */
export interface StoredParty {
  name?: string;
  email?: string;
  address?: string[];
  postal_code?: string;
  city?: string;
  country?: string;
  tax_id?: string;
}

/** A document as it is stored, with its status by the ledger and the account. */
export interface DocumentRow {
  id: string;
  number: number;
  kind: 'invoice' | 'credit_note';
  at: string;
  bill: StoredBill;
  tax_basis_points: number;
  seller: StoredParty & { tax_label?: string; is_test?: boolean };
  buyer: StoredParty;
  /** Numbers of the invoice that this credit note reverses, and of the credit note that reverses this invoice. */
  corrects: number | null;
  corrected_by: number | null;
  status: Invoice['status'];
}

export type InvoiceStore = ReturnType<typeof invoiceStore>;

/** Documents per query when all of them are exported to a file. */
const batch = 200;

/** All SQL that reads invoices, and their buyers. */
export const invoiceStore = (sql: Sql) => ({
  /** Documents with numbers below `before`, the newest first. */
  page: (team_id: string, { before, limit }: { before: number; limit: number }) =>
    documents(
      sql,
      sql`
    where d.team_id = ${team_id}
      and d.number < ${before}
    order by d.number desc
    limit ${limit}`,
    ),

  /** Throws `invoice_not_found`, also for a document of another team. */
  async one(team_id: string, number: number): Promise<DocumentRow> {
    const [row] = await documents(
      sql,
      sql`
      where d.team_id = ${team_id}
        and d.number = ${number}`,
    );
    if (!row) throw new ApiError('invoice_not_found');
    return row;
  },

  /** A document by its id, for the mail that was queued with it; undefined: it was not written. */
  async byId(id: string): Promise<DocumentRow | undefined> {
    const [row] = await documents(sql, sql`where d.id = ${id}`);
    return row;
  },

  /** All documents of a team, the newest first, read on demand. */
  async *all(team_id: string): AsyncGenerator<DocumentRow> {
    let before = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const rows = await this.page(team_id, { before, limit: batch });
      yield* rows;
      const last = rows.at(-1);
      if (!last || rows.length < batch) return;
      before = last.number;
    }
  },

  /** The saved details, or those of the oldest member of the team. */
  async details(team_id: string): Promise<StoredParty> {
    const [row] = await sql<{ buyer: StoredParty }[]>`
      select coalesce(b.buyer, jsonb_build_object('name', u.name, 'email', u.email)) as buyer
      from team_members m
      join users u on u.id = m.user_id
      left join billing_buyers b on b.team_id = m.team_id
      where m.team_id = ${team_id}
      order by u.created_at, u.id
      limit 1`;
    return row?.buyer ?? {};
  },

  async setDetails(team_id: string, details: BillingDetails): Promise<void> {
    await sql.begin(async (tx) => {
      await tx`
        insert into billing_buyers (team_id, buyer)
        values (${team_id}, ${tx.json(details)})
        on conflict (team_id) do update
        set buyer = excluded.buyer`;
      await recordAction(tx, team_id);
    });
  },
});

/**
 * The ledger does not link payments to invoices, and need not: a team has at most one open invoice, which its account names. An invoice that is
 * neither open nor reversed nor written off is settled.
 */
const documents = (sql: Sql, rest: ReturnType<Sql>) => sql<DocumentRow[]>`
  select
    d.id, d.number::float8 as number, d.kind, d.at, d.bill, d.tax_basis_points, d.seller, d.buyer, i.number::float8 as corrects,
    c.number::float8 as corrected_by,
    case
      when d.kind = 'credit_note' then 'credited'
      when c.id is not null then 'taken_back'
      when w.id is not null then 'written_off'
      when a.account -> 'open' ->> 'id' = d.id and a.account -> 'open' ->> 'is_draft' = 'false' then 'open'
      else 'paid'
    end as status
  from billing_documents d
  left join billing_documents i on i.id = d.corrects
  left join billing_documents c on c.team_id = d.team_id
    and c.corrects = d.id
  left join billing_entries w on w.team_id = d.team_id
    and w.id = d.id || ' written off'
  left join billing_accounts a on a.team_id = d.team_id
  ${rest}`;
