import type { InvoiceDetail, InvoiceLine } from '@paddock/contract';
import { type PlanId, plans, unitPrices } from '@paddock/contract/plans';
import { dayMs, iso } from '@paddock/contract/time';
import { closedAt, costs, type Meter, monthAfter, sum } from './amounts.ts';
import { quotePlanChange } from './subscription-world.ts';

/** How long ago the running period of the demo's subscription began. */
export const renewedDaysAgo = 11;
/** Number of past periods: enough that every month of usage in the demo lies within the subscription. */
const pastPeriods = 4;
/** Days into the last past period at which the team switched to a smaller plan. */
const switchedAfterDays = 9;

const party = { name: 'Paddock', email: '', address: [], postal_code: '', city: '', country: '', country_name: '', tax_id: '' };
const cents = (dollars: number) => Math.round(dollars * 100) / 100;
const dollars = (price_cents: number) => price_cents / 100;

interface Document {
  at: number;
  text: string;
  lines: InvoiceLine[];
  period: { start: number; end: number };
  credit?: number;
}

/** The demo's invoices and credit notes, newest first: each period includes the usage of the months closed since the period before. */
export function sampleInvoices(meter: Meter, renewedAt: number): InvoiceDetail[] {
  const starts = Array.from({ length: pastPeriods + 1 }, (_, n) => monthsBefore(renewedAt, pastPeriods - n));
  const begun = starts[0] ?? renewedAt;
  const switched = buildPlanSwitch(monthsBefore(renewedAt, 1));
  const documents = starts.map((at, n): Document => {
    const isLast = n === pastPeriods;
    const plan: PlanId = isLast ? 'pro' : 'enterprise';
    const months = n === 0 ? [] : closedBetween(starts[n - 1] ?? at, at);
    const period = { start: at, end: starts[n + 1] ?? monthsBefore(at, -1) };
    const usage = months.length > 0 ? `, usage of ${months.map((first) => iso(first).slice(0, 7)).join(', ')}` : '';
    return {
      at,
      text: `${plans[plan].name} plan${usage}`,
      lines: [planLine(plan, period), ...months.flatMap((first) => usageLines(meter, first, begun))],
      period,
      credit: isLast ? switched.credited : 0,
    };
  });
  return [...documents.slice(0, pastPeriods), switched.document, ...documents.slice(pastPeriods)].map(buildInvoiceDetail).reverse();
}

/** The same day and time in an earlier month, or the last day of a month without that day. */
function monthsBefore(at: number, months: number): number {
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() - months];
  date.setUTCFullYear(year, month, Math.min(date.getUTCDate(), new Date(Date.UTC(year, month + 1, 0)).getUTCDate()));
  return date.getTime();
}

/** The first days of the months that were closed after one instant and until another. */
function closedBetween(after: number, until: number): number[] {
  const from = new Date(after);
  const months = Array.from({ length: 4 }, (_, n) => Date.UTC(from.getUTCFullYear(), from.getUTCMonth() - 2 + n));
  return months.filter((first) => closedAt(first) > after && closedAt(first) <= until);
}

function planLine(plan: PlanId, { start, end }: Document['period']): InvoiceLine {
  const none = { quantity: null, unit: null, unit_price: null };
  return {
    text: `${plans[plan].name} plan`,
    period_start: iso(start),
    period_end: iso(end),
    ...none,
    amount: dollars(plans[plan].price_cents),
  };
}

/** The usage of whole days within the subscription, as charged by the server. */
function usageLines(meter: Meter, first: number, begun: number): InvoiceLine[] {
  const days = meter.days(first, monthAfter(first)).filter(({ day }) => Date.parse(day) >= begun);
  const used = sum(days.map(({ of }) => sum(of.values())));
  const [hours, gb, stored] = costs(used);
  const period = { period_start: iso(first), period_end: iso(monthAfter(first)) };
  const price = (price_cents: number) => ({ unit_price: dollars(price_cents) });
  return [
    { text: 'Compute', ...period, quantity: used[0], unit: 'hour' as const, ...price(unitPrices.compute_hour), amount: hours },
    { text: 'Bandwidth', ...period, quantity: used[1], unit: 'GB' as const, ...price(unitPrices.bandwidth_gb), amount: gb },
    {
      text: 'Database storage',
      ...period,
      quantity: used[2],
      unit: 'GB-month' as const,
      ...price(unitPrices.storage_gb_month),
      amount: stored,
    },
  ].filter(({ quantity }) => quantity > 0);
}

function buildPlanSwitch(start: number): { document: Document; credited: number } {
  const at = start + switchedAfterDays * dayMs;
  const { lines, credited, next_at } = quotePlanChange('enterprise', 'pro', { anchor: start, at, credit: 0 });
  const period = { start: at, end: Date.parse(next_at) };
  const rest = { period_start: iso(period.start), period_end: iso(period.end), quantity: null, unit: null, unit_price: null };
  return {
    credited,
    document: { at, period, text: 'Switch from Enterprise to Pro', lines: lines.map((line) => ({ ...line, ...rest })) },
  };
}

function buildInvoiceDetail({ at, text, lines, period, credit = 0 }: Document, index: number): InvoiceDetail {
  const subtotal = cents(lines.reduce((total, line) => total + line.amount, 0));
  const isCredit = subtotal < 0;
  const credit_used = Math.min(credit, Math.max(0, subtotal));
  const amount = cents(subtotal - credit_used);
  return {
    id: `PD-${String(index + 1).padStart(6, '0')}`,
    kind: isCredit ? 'credit_note' : 'invoice',
    status: isCredit ? 'credited' : 'paid',
    ...{ created_at: iso(at), amount, tax: 0, due: Math.max(0, amount), text, lines, subtotal },
    ...{ period_start: iso(period.start), period_end: iso(period.end), corrects: null, corrected_by: null },
    ...{ credit_used, prepaid_used: 0, tax_percent: 0, tax_label: 'VAT', seller: party, buyer: party, is_test: true },
  };
}
