import type { Client } from '@paddock/client';
import type { BillingDetails, Invoice, InvoiceDetail } from '@paddock/contract';
import { countryName } from '@paddock/contract/countries';
import { csvRow } from '@paddock/contract/csv';
import { ApiError } from '@paddock/contract/errors';
import type { contract } from '@paddock/contract/routes';
import { answer, paginate } from '../../../demo/answering.ts';
import { samplePdf } from './sample-pdf.ts';

type Person = { user: { name: string; email: string } };

/** Sample invoices of the demo; billing details last until reload. */
export function demoInvoices({ user }: Person, all: readonly InvoiceDetail[]): Client<typeof contract>['invoices'] {
  let details: BillingDetails = { name: user.name, email: user.email, address: [], postal_code: '', city: '', country: '', tax_id: '' };
  const one = (id: string): InvoiceDetail => {
    const found = all.find((each) => each.id === id);
    if (!found) throw new ApiError('invoice_not_found');
    return { ...found, buyer: { ...details, country_name: countryName(details.country) ?? '' } };
  };
  return {
    list: (input, options) =>
      answer(() => {
        const { rows, next_cursor } = paginate(all, input ?? {});
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
