import * as z from 'zod';
import { email } from './accounts.ts';
import { holdsCardNumber, noCardNumbers } from './card-number.ts';
import { countryName } from './countries.ts';
import { invoiceLimits } from './limits.ts';
import { bytes, nextCursor, page, timestamp } from './lists.ts';
import { route } from './route.ts';

const dollars = z.number().meta({ description: 'US dollars with two decimals; below zero on a credit note' });
const number = z
  .string()
  .regex(/^PD-\d{6,15}$/, 'A number of an invoice, such as PD-000001.')
  .meta({ description: 'The number, such as PD-000001. Invoices and credit notes of an installation share one series without gaps' });

export const invoiceStatuses = ['open', 'paid', 'taken_back', 'written_off', 'credited'] as const;

export const Invoice = z.object({
  id: number,
  kind: z.enum(['invoice', 'credit_note']),
  created_at: timestamp,
  amount: dollars.meta({ description: 'The total with tax, after credit; of a credit note what it gives back, below zero' }),
  tax: dollars,
  due: dollars.meta({ description: 'The amount after prepaid money; what the payment method is charged' }),
  status: z.enum(invoiceStatuses).meta({
    description:
      'taken_back: a credit note takes the whole invoice back; written_off: the operator gave the debt up; credited: of every credit note',
  }),
  text: z.string().meta({ description: 'What it is about, such as "Pro plan and usage"' }),
  period_start: timestamp.nullable().meta({ description: 'Of the plan; null for usage alone' }),
  period_end: timestamp.nullable(),
  corrects: number.nullable().meta({ description: 'The invoice that this credit note takes back' }),
  corrected_by: number.nullable().meta({ description: 'The credit note that takes this invoice back' }),
});
export type Invoice = z.infer<typeof Invoice>;

export const InvoiceLine = z.object({
  text: z.string(),
  period_start: timestamp.nullable(),
  period_end: timestamp.nullable(),
  quantity: z.number().nullable().meta({ description: 'Of usage: hours, GB, or GB stored for a month; rounded to six decimals' }),
  unit: z.enum(['hour', 'GB', 'GB-month']).nullable(),
  unit_price: dollars.nullable(),
  amount: dollars,
});
export type InvoiceLine = z.infer<typeof InvoiceLine>;

/** Text on one line. Invisible characters are refused: they could reverse or hide the text around them. */
const line = (most: number) =>
  z
    .string()
    .trim()
    .refine((text) => Array.from(text).length <= most, `At most ${most} characters.`)
    .refine((text) => !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(text), 'One line of visible text.')
    .refine((text) => !holdsCardNumber(text), noCardNumbers);

const details = {
  name: line(invoiceLimits.nameLength)
    .refine((text) => text !== '', 'Whom invoices are made out to: a person or a company.')
    .meta({ description: 'Of the person or the company that pays' }),
  email: line(254)
    .refine((text) => text === '' || email.safeParse(text).success, 'An e-mail address such as billing@example.com.')
    .meta({ description: 'Printed on invoices, or empty. Mails go to the members of the team' }),
  address: z
    .array(line(invoiceLimits.lineLength))
    .max(invoiceLimits.addressLines)
    .meta({ description: 'Street and number, one line each' }),
  postal_code: line(20),
  city: line(invoiceLimits.lineLength),
  country: z
    .string()
    .regex(/^(?:[A-Z]{2})?$/, 'Two capital letters as in ISO 3166, such as DE, or nothing.')
    .refine((code) => code === '' || countryName(code) !== undefined, 'No country has this code in ISO 3166.'),
  tax_id: line(40)
    .refine((text) => /^[\p{L}\p{N} ./-]*$/u.test(text), 'Letters, digits, spaces and . / - only.')
    .meta({ description: 'As "DE123456789"; it is printed as given, and not checked at an authority' }),
};
export const BillingDetails = z.object(details);
export type BillingDetails = z.infer<typeof BillingDetails>;

export const InvoiceParty = z.object({
  name: z.string(),
  email: z.string(),
  address: z.array(z.string()),
  postal_code: z.string(),
  city: z.string(),
  country: z.string(),
  country_name: z.string().meta({ description: 'In English' }),
  tax_id: z.string(),
});

export const InvoiceDetail = Invoice.extend({
  lines: z.array(InvoiceLine),
  subtotal: dollars.meta({ description: 'The lines together' }),
  credit_used: dollars.meta({ description: 'Credit from credit notes that came off before tax' }),
  prepaid_used: dollars.meta({ description: 'Money that was paid before; it came off after tax' }),
  tax_percent: z.number(),
  tax_label: z.string(),
  seller: InvoiceParty,
  buyer: InvoiceParty,
  is_test: z.boolean().meta({ description: 'No money was moved' }),
});
export type InvoiceDetail = z.infer<typeof InvoiceDetail>;

export const invoices = {
  list: route({
    method: 'GET',
    path: '/billing/invoices',
    access: 'session',
    summary: 'Invoices and credit notes of the team, the newest first',
    errors: ['cursor_invalid'],
    input: z.strictObject(page.shape),
    output: z.object({ invoices: z.array(Invoice), next_cursor: nextCursor }),
  }),
  export: route({
    method: 'GET',
    path: '/billing/invoices/export',
    access: 'session',
    download: { as: 'text', types: ['text/csv'] },
    summary: 'All invoices and credit notes of the team as a CSV file',
    note: "Text that a spreadsheet would take for a formula begins with `'`.",
    audit: 'invoice.export',
    input: z.strictObject({}),
    output: z.string(),
  }),
  get: route({
    method: 'GET',
    path: '/billing/invoices/:id',
    access: 'session',
    summary: 'One invoice or credit note with its lines, and whose it is',
    errors: ['invoice_not_found'],
    input: z.strictObject({ id: number }),
    output: InvoiceDetail,
  }),
  pdf: route({
    method: 'GET',
    path: '/billing/invoices/:id/pdf',
    access: 'session',
    download: { as: 'bytes', types: ['application/pdf'] },
    summary: 'One invoice or credit note as a PDF',
    audit: 'invoice.download',
    errors: ['invoice_not_found', 'invoice_pdf_failed'],
    input: z.strictObject({ id: number }),
    output: bytes,
  }),
  details: route({
    method: 'GET',
    path: '/billing/details',
    access: 'session',
    summary: 'Whom invoices are made out to',
    input: z.strictObject({}),
    output: BillingDetails,
  }),
  setDetails: route({
    method: 'PUT',
    path: '/billing/details',
    access: 'session',
    summary: 'Change whom invoices are made out to, from the next one on; those that are written stay as they are',
    audit: 'billing-details.update',
    input: z.strictObject(details),
    output: BillingDetails,
  }),
};
