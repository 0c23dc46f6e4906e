import type { Invoice } from '@paddock/contract';

const columns: Record<string, (invoice: Invoice) => string | null> = {
  id: ({ id }) => id,
  kind: ({ kind }) => kind,
  created_at: ({ created_at }) => created_at,
  text: ({ text }) => tame(text),
  period_start: ({ period_start }) => period_start,
  period_end: ({ period_end }) => period_end,
  amount: ({ amount }) => amount.toFixed(2),
  tax: ({ tax }) => tax.toFixed(2),
  due: ({ due }) => due.toFixed(2),
  currency: () => 'USD',
  status: ({ status }) => status,
  corrects: ({ corrects }) => corrects,
  corrected_by: ({ corrected_by }) => corrected_by,
};
type Names = { buyer_name: string; buyer_tax_id: string };

/** RFC 4180: lines end with CR and LF, and what has a comma, a quote or a line's end is quoted. */
export const csvHeader = `${[...Object.keys(columns), 'buyer_name', 'buyer_tax_id'].join(',')}\r\n`;
export const csvLine = (invoice: Invoice, { buyer_name, buyer_tax_id }: Names): string =>
  `${[...Object.values(columns).map((of) => of(invoice) ?? ''), tame(buyer_name), tame(buyer_tax_id)].map(quoted).join(',')}\r\n`;

/** A spreadsheet would run text that begins like a formula. Amounts are ours, and keep their sign. */
const tame = (text: string) => (/^[\s]*[=+\-@\t\r]/.test(text) ? `'${text}` : text);
const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
