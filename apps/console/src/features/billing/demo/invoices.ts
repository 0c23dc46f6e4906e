import type { Client } from '@paddock/client';
import type { BillingDetails, Invoice, InvoiceDetail } from '@paddock/contract';
import { countryName } from '@paddock/contract/countries';
import { csvRow } from '@paddock/contract/csv';
import { ApiError } from '@paddock/contract/errors';
import type { contract } from '@paddock/contract/routes';
import { answer, pageOf } from '../../../demo/answering.ts';
import { dayMs } from './amounts.ts';
import { samplePdf } from './sample-pdf.ts';

/** Invoices of the demo, from before it began; billing details last until reload. */
export function demoInvoices({ user }: { user: { name: string; email: string } }): Client<typeof contract>['invoices'] {
  const all = samples(Date.now() - 11 * dayMs);
  let details: BillingDetails = { name: user.name, email: user.email, address: [], postal_code: '', city: '', country: '', tax_id: '' };
  const one = (id: string): InvoiceDetail => {
    const found = all.find((each) => each.id === id);
    if (!found) throw new ApiError('invoice_not_found');
    return { ...found, buyer: { ...details, country_name: countryName(details.country) ?? '' } };
  };
  return {
    list: (input, options) =>
      answer(() => {
        const { rows, next_cursor } = pageOf(all, input ?? {});
        return { invoices: rows, next_cursor };
      }, options),
    export: (_input, options) => answer(() => [csvColumns, ...all.map(csvCells)].map(csvRow).join(''), options),
    get: ({ id }, options) => answer(() => one(id), options),
    pdf: ({ id }, options) => answer(() => samplePdf(one(id)), options),
    details: (_input, options) => answer(() => details, options),
    setDetails: (given, options) =>
      answer(() => {
        if (given.name.trim() === '')
          throw new ApiError('input_invalid', {
            errors: [{ path: 'name', message: 'Whom invoices are made out to: a person or a company.' }],
          });
        details = given;
        return details;
      }, options),
  };
}

const csvColumns = ['id', 'created_at', 'text', 'amount', 'currency', 'status'];
const csvCells = ({ id, created_at, text, amount, status }: Invoice) => [
  id,
  created_at,
  text,
  { figure: amount.toFixed(2) },
  'USD',
  status,
];

const party = { name: 'Paddock', email: '', address: [], postal_code: '', city: '', country: '', country_name: '', tax_id: '' };

/** The newest first: the running period with the usage of the month before, less the credit of a smaller plan. */
function samples(renewedAt: number): InvoiceDetail[] {
  const used = new Date(renewedAt - 30 * dayMs).toISOString().slice(0, 7);
  return [
    sample(3, { at: renewedAt, text: `Pro plan, usage of ${used}` }, [110.86, 140, 'Pro plan', 99, 'Compute', 148.8, 'Bandwidth', 3.06]),
    sample(2, { at: renewedAt - 21 * dayMs, text: 'Switch from Enterprise to Pro' }, [
      -140,
      0,
      'Unused time on Enterprise',
      -209.3,
      'Remaining time on Pro',
      69.3,
    ]),
    sample(1, { at: renewedAt - 30 * dayMs, text: 'Enterprise plan' }, [299, 0, 'Enterprise plan', 299]),
  ];
}

const none = { period_start: null, period_end: null, quantity: null, unit: null, unit_price: null };
/** Amount, credit used, and the lines. */
type Sum = [amount: number, credit_used: number, ...lines: (string | number)[]];

function sample(n: number, { at, text }: { at: number; text: string }, [amount, credit_used, ...given]: Sum): InvoiceDetail {
  const isCredit = amount < 0;
  const lines = given.flatMap((name, index) => {
    const cost = given[index + 1];
    return typeof name === 'string' && typeof cost === 'number' ? { ...none, text: name, amount: cost } : [];
  });
  return {
    id: `PD-00000${n}`,
    kind: isCredit ? 'credit_note' : 'invoice',
    status: isCredit ? 'credited' : 'paid',
    ...{ created_at: new Date(at).toISOString(), amount, tax: 0, due: Math.max(0, amount), text, lines },
    ...{ period_start: null, period_end: null, corrects: null, corrected_by: null, subtotal: amount + credit_used },
    ...{ credit_used, prepaid_used: 0, tax_percent: 0, tax_label: 'VAT', seller: party, buyer: party, is_test: true },
  };
}
