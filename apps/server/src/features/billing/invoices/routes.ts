import { Readable } from 'node:stream';
import { ApiError, type BillingDetails, type Invoice, invoices } from '@paddock/contract';
import { type CsvCell, csvRow } from '@paddock/contract/csv';
import { type Handlers, serve } from '../../../http/serve.ts';
import type { MakePdf } from './pdf/make-pdf.ts';
import type { InvoiceStore, StoredParty } from './store.ts';
import { toInvoice, toInvoiceDetail } from './to-invoice.ts';

interface Deps {
  store: InvoiceStore;
  makePdf: MakePdf;
}

const invoiceHandlers = ({ store, makePdf }: Deps): Handlers<typeof invoices> => ({
  async list({ limit, cursor }, { actor }) {
    const rows = await store.page(actor.team_id, { before: readCursor(cursor), limit: limit + 1 });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return { invoices: page.map(toInvoice), next_cursor: rows.length > limit && last ? String(last.number) : null };
  },

  export: async (_input, { actor }) => ({
    file_name: `invoices-${new Date().toISOString().slice(0, 10)}.csv`,
    content_type: 'text/csv; charset=utf-8',
    body: Readable.from(streamCsv(store, actor.team_id), { objectMode: false }),
  }),

  get: async ({ id }, { actor }) => toInvoiceDetail(await store.one(actor.team_id, numberOf(id))),

  async pdf({ id }, { actor }) {
    const bytes = await makePdf(actor.team_id, toInvoiceDetail(await store.one(actor.team_id, numberOf(id))));
    return { file_name: `${id}.pdf`, content_type: 'application/pdf', body: Readable.from([bytes]) };
  },

  details: async (_input, { actor }) => toBillingDetails(await store.details(actor.team_id)),

  async setDetails(details, { actor }) {
    await store.setDetails(actor.team_id, details);
    return details;
  },
});

export const invoiceRoutes = (deps: Deps) => serve(invoices, invoiceHandlers(deps));

const numberOf = (id: string) => Number(id.slice('PD-'.length));

/** The number of the last document of the previous page. */
function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER;
  if (!/^[1-9]\d{0,14}$/.test(cursor)) throw new ApiError('cursor_invalid');
  return Number(cursor);
}

const csvColumns: Record<string, (invoice: Invoice) => CsvCell> = {
  id: ({ id }) => id,
  kind: ({ kind }) => kind,
  created_at: ({ created_at }) => created_at,
  text: ({ text }) => text,
  period_start: ({ period_start }) => period_start,
  period_end: ({ period_end }) => period_end,
  amount: ({ amount }) => ({ figure: amount.toFixed(2) }),
  tax: ({ tax }) => ({ figure: tax.toFixed(2) }),
  due: ({ due }) => ({ figure: due.toFixed(2) }),
  currency: () => 'USD',
  status: ({ status }) => status,
  corrects: ({ corrects }) => corrects,
  corrected_by: ({ corrected_by }) => corrected_by,
};

async function* streamCsv(store: InvoiceStore, team_id: string): AsyncGenerator<string> {
  yield csvRow([...Object.keys(csvColumns), 'buyer_name', 'buyer_tax_id']);
  for await (const row of store.all(team_id)) {
    const invoice = toInvoice(row);
    const { name = '', tax_id = '' } = row.buyer;
    yield csvRow([...Object.values(csvColumns).map((valueOf) => valueOf(invoice)), name, tax_id]);
  }
}

function toBillingDetails({
  name = '',
  email = '',
  address = [],
  postal_code = '',
  city = '',
  country = '',
  tax_id = '',
}: StoredParty): BillingDetails {
  return { name, email, address, postal_code, city, country, tax_id };
}
