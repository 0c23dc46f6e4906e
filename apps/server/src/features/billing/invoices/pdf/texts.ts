import { formatMoney } from '@paddock/billing';
import type { InvoiceDetail } from '@paddock/contract';

/** '$1,234.50', '-$0.05'. */
export const formatPrice = (dollars: number): string => formatMoney(Math.round(dollars * 100));

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** '20 Nov 2026': a day of UTC. */
function formatDay(at: string): string {
  const date = new Date(at);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

export function periodOf({ period_start, period_end }: { period_start: string | null; period_end: string | null }): string {
  return period_start && period_end ? `${formatDay(period_start)} to ${formatDay(period_end)}` : '';
}

export const titleOf = ({ kind }: InvoiceDetail) => (kind === 'invoice' ? 'Invoice' : 'Credit note');

/** The facts printed beside the number. */
export function listFacts(invoice: InvoiceDetail): [name: string, value: string][] {
  const { id, kind, created_at, corrects } = invoice;
  const facts: [string, string][] = [
    [kind === 'invoice' ? 'Invoice number' : 'Credit note number', id],
    ['Date', formatDay(created_at)],
  ];
  const period = periodOf(invoice);
  if (period) facts.push(['Period', period]);
  if (corrects) facts.push(['Takes back invoice', corrects]);
  return [...facts, ['Status', formatStatus(invoice)]];
}

function formatStatus({ status, due, corrects, corrected_by }: InvoiceDetail): string {
  if (status === 'open') return `Open: ${formatPrice(due)} to pay`;
  if (status === 'taken_back') return corrected_by ? `Taken back by ${corrected_by}` : 'Taken back';
  if (status === 'written_off') return 'Written off';
  if (status === 'credited') return corrects ? 'Invoice taken back' : 'Credited';
  return due === 0 ? 'Nothing to pay' : 'Paid';
}

export function formatQuantity({ quantity, unit }: InvoiceDetail['lines'][number]): string {
  if (quantity === null || unit === null) return '';
  const amount = quantity.toLocaleString('en-US', { maximumFractionDigits: 6 });
  return `${amount} ${unit === 'hour' && quantity !== 1 ? 'hours' : unit}`;
}

/** The rows under the lines; the last one is the result. */
export function listTotals(invoice: InvoiceDetail): [name: string, value: string][] {
  const { subtotal, credit_used, tax, tax_percent, tax_label, amount, prepaid_used, due, status } = invoice;
  const rows: [string, string][] = [['Subtotal', formatPrice(subtotal)]];
  const isCredit = invoice.kind === 'credit_note';
  if (isCredit && invoice.corrects === null) return [...rows, ['Added to your credit', formatPrice(-amount)]];
  if (credit_used !== 0) rows.push([isCredit ? 'Credit given back' : 'Credit used', formatPrice(-credit_used)]);
  if (tax_percent !== 0 || tax !== 0) rows.push([`${tax_label} ${tax_percent} %`, formatPrice(tax)]);
  rows.push(['Total', formatPrice(amount)]);
  if (prepaid_used !== 0) rows.push([isCredit ? 'Prepaid money given back' : 'Prepaid', formatPrice(-prepaid_used)]);
  if (isCredit) return [...rows, ['No longer due', formatPrice(-due)]];
  return [...rows, [status === 'paid' && due !== 0 ? 'Paid' : 'Amount due', formatPrice(due)]];
}

/** Tells the reader what to pay. */
export function paymentInstruction({ status, kind, due, amount, corrects }: InvoiceDetail): string {
  if (kind === 'credit_note') {
    if (corrects) return `This credit note takes the whole invoice ${corrects} back. Nothing of it is to be paid.`;
    return `${formatPrice(-amount)} will be deducted from your next invoices before tax. Nothing is paid out.`;
  }
  if (status === 'open') return `${formatPrice(due)} are charged to your payment method. You need not send money.`;
  if (status === 'paid') return due === 0 ? 'Nothing is to be paid.' : `${formatPrice(due)} were paid with your payment method. Thank you.`;
  return status === 'taken_back' ? 'This invoice was taken back. Do not pay it.' : 'This invoice was written off. Do not pay it.';
}

export const testNote = 'Test mode: no money was moved';
