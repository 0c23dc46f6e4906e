import type { Client } from '@paddock/client';
import type { BillingDetails, Invoice, InvoiceDetail, InvoiceLine } from '@paddock/contract';
import { countryName } from '@paddock/contract/countries';
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
    export: (_input, options) =>
      answer(() => ['id,created_at,text,amount,currency,status', ...all.map(csvLine)].map((line) => `${line}\r\n`).join(''), options),
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

const csvLine = ({ id, created_at, text, amount, status }: Invoice) => `${id},${created_at},"${text}",${amount.toFixed(2)},USD,${status}`;

const seller = { name: 'Paddock', email: '', address: [], postal_code: '', city: '', country: '', country_name: '', tax_id: '' };
/** The newest first: the running period with the usage of the month before, less the credit of a smaller plan. */
function samples(renewedAt: number): InvoiceDetail[] {
  const month = new Date(renewedAt).toISOString().slice(0, 7);
  const used = new Date(Date.parse(`${month}-01`) - dayMs).toISOString().slice(0, 7);
  const began = renewedAt - 30 * dayMs;
  const line = (text: string, amount: number): InvoiceLine => ({
    ...{ text, amount, period_start: null, period_end: null },
    ...{ quantity: null, unit: null, unit_price: null },
  });
  const back = [line('Unused time on Enterprise', -209.3), line('Remaining time on Pro', 69.3)];
  const larger = [line('Unused time on Starter', -27.07), line('Remaining time on Enterprise', 279.07)];
  const renewal = [line('Pro plan', 99), line('Compute', 148.8), line('Bandwidth', 3.06)];
  return [
    sample(4, { at: renewedAt, text: `Pro plan, usage of ${used}`, lines: renewal, credit_used: 140 }),
    sample(3, { at: began + 9 * dayMs, text: 'Switch from Enterprise to Pro', lines: back }),
    sample(2, { at: began + 2 * dayMs, text: 'Switch from Starter to Enterprise', lines: larger }),
    sample(1, { at: began, text: 'Starter plan', lines: [line('Starter plan', 29)] }),
  ];
}

type Given = Pick<InvoiceDetail, 'text' | 'lines'> & { at: number; credit_used?: number };

function sample(n: number, { at, text, lines, credit_used = 0 }: Given): InvoiceDetail {
  const cents = (dollars: number) => Math.round(dollars * 100) / 100;
  const subtotal = cents(lines.reduce((sum, { amount }) => sum + amount, 0));
  const amount = cents(subtotal - credit_used);
  const isCredit = amount < 0;
  return {
    id: `PD-00000${n}`,
    kind: isCredit ? 'credit_note' : 'invoice',
    status: isCredit ? 'credited' : 'paid',
    ...{ created_at: new Date(at).toISOString(), amount, tax: 0, due: isCredit ? 0 : amount, text },
    ...{ period_start: null, period_end: null, corrects: null, corrected_by: null, lines, subtotal },
    ...{
      credit_used: isCredit ? amount : credit_used,
      prepaid_used: 0,
      tax_percent: 0,
      tax_label: 'VAT',
      seller,
      buyer: seller,
      is_test: true,
    },
  };
}
