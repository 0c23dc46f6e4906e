import { countHours, documentNumber } from '@paddock/billing';
import type { Invoice, InvoiceDetail, InvoiceLine } from '@paddock/contract';
import { countryName } from '@paddock/contract/countries';
import { plans, unitPrices } from '@paddock/contract/plans';
import { hourMs } from '@paddock/contract/time';
import type { DocumentRow, StoredParty } from './store.ts';

type StoredLine = DocumentRow['bill']['lines'][number];

/** A document in the form of lists. */
export function toInvoice(row: DocumentRow): Invoice {
  const { kind, bill, corrects, corrected_by } = row;
  const period = findPeriod(bill.lines);
  return {
    id: documentNumber(row.number),
    kind,
    created_at: row.at,
    // A credit to the balance has no total: its amount is the sum of its lines.
    amount: centsToDollars(kind === 'credit_note' && corrects === null ? bill.sum_cents : bill.total_cents),
    tax: centsToDollars(bill.tax_cents),
    due: centsToDollars(bill.due_cents),
    status: row.status,
    text: invoiceSubject(bill.lines),
    ...period,
    corrects: numberOf(corrects),
    corrected_by: numberOf(corrected_by),
  };
}

export function toInvoiceDetail(row: DocumentRow): InvoiceDetail {
  const { bill, seller, buyer, tax_basis_points } = row;
  return {
    ...toInvoice(row),
    lines: bill.lines.map(showLine),
    subtotal: centsToDollars(bill.sum_cents),
    credit_used: centsToDollars(bill.credit_cents),
    prepaid_used: centsToDollars(bill.prepaid_cents),
    tax_percent: tax_basis_points / 100,
    tax_label: seller.tax_label ?? 'Tax',
    seller: partyOf(seller),
    buyer: partyOf(buyer),
    is_test: seller.is_test ?? false,
  };
}

/** Cents in the API's form: dollars with two decimals. */
const centsToDollars = (cents: number): number => (cents === 0 ? 0 : cents / 100);

const numberOf = (number: number | null) => (number === null ? null : documentNumber(number));

const isUsage = ({ kind }: StoredLine) => kind !== 'plan' && kind !== 'proration';

function invoiceSubject(lines: readonly StoredLine[]): string {
  const used = lines.filter(isUsage);
  const usage = used.length > 0 ? `usage of ${[...new Set(used.map(({ month }) => month))].join(', ')}` : '';
  const [from, to] = lines.filter(({ kind }) => kind === 'proration').map(nameOf);
  if (from && to) return `Switch from ${from} to ${to}`;
  const plan = lines.find(({ kind }) => kind === 'plan');
  if (!plan) return usage.replace(/^u/, 'U') || 'Nothing';
  return `${nameOf(plan)} plan${usage && `, ${usage}`}`;
}

const nameOf = ({ plan }: StoredLine) => (plan ? plans[plan].name : '');

function findPeriod(lines: readonly StoredLine[]): { period_start: string | null; period_end: string | null } {
  const period = lines.find((line) => line.period)?.period;
  return period ? { period_start: stamp(period.start), period_end: stamp(period.end) } : { period_start: null, period_end: null };
}

const usageTexts = { compute: 'Compute', bandwidth: 'Bandwidth', storage: 'Database storage' } as const;
const units = { compute: 'hour', bandwidth: 'GB', storage: 'GB-month' } as const;
const prices = { compute: unitPrices.compute_hour, bandwidth: unitPrices.bandwidth_gb, storage: unitPrices.storage_gb_month } as const;

function showLine(line: StoredLine): InvoiceLine {
  const { kind, month, quantity, cents } = line;
  if (kind === 'plan' || kind === 'proration' || month === undefined || quantity === undefined)
    return { text: line.text, ...findPeriod([line]), quantity: null, unit: null, unit_price: null, amount: centsToDollars(cents) };
  return {
    text: usageTexts[kind],
    ...toMonthPeriod(month),
    quantity: toUnits(kind, BigInt(quantity), month),
    unit: units[kind],
    unit_price: centsToDollars(prices[kind]),
    amount: centsToDollars(cents),
  };
}

const gigabyte = 1_000_000_000n;

/** Rounded to six decimals; exact up to there, since byte-hours exceed the safe integers. */
function toUnits(kind: keyof typeof units, quantity: bigint, month: string): number {
  const one = { compute: 3600n, bandwidth: gigabyte, storage: gigabyte * BigInt(countHours(month)) }[kind];
  return Number((quantity * 2_000_000n + one) / (2n * one)) / 1_000_000;
}

function toMonthPeriod(month: string): { period_start: string; period_end: string } {
  const start = Date.parse(`${month}-01T00:00:00Z`);
  return { period_start: stamp(start), period_end: stamp(start + countHours(month) * hourMs) };
}

function partyOf({ name = '', email = '', address = [], postal_code = '', city = '', country = '', tax_id = '' }: StoredParty) {
  return { name, email, address, postal_code, city, country, country_name: countryName(country) ?? country, tax_id };
}

const stamp = (at: number) => new Date(at).toISOString();
