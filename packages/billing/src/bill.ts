import { applyBasisPoints, type Cents, negative, sumCents } from './cents.ts';
import type { Line } from './lines.ts';

/**
 * The sum of the lines − `credit` used = taxed amount; + `tax` = `total`; − `prepaid` used = `due`. All in cents; negative in a credit
 * note.
 */
interface Amounts {
  sum_cents: Cents;
  credit_cents: Cents;
  tax_cents: Cents;
  total_cents: Cents;
  prepaid_cents: Cents;
  due_cents: Cents;
}
export interface Bill extends Amounts {
  lines: Line[];
}
/**
 * Credit is deducted before tax, because it is a refunded price. Prepaid is money that was paid with its tax, so it is deducted after tax.
 * Tax is rounded half up once, on the total. Throws a RangeError for lines with a negative sum, which are a credit.
 */
export function makeBill(lines: Line[], given: { credit_cents: Cents; prepaid_cents: Cents; tax_basis_points: number }): Bill {
  const sum_cents = sumCents(lines.map((line) => line.cents));
  if (sum_cents < 0) throw new RangeError(`The lines of an invoice add up to ${sum_cents} cents: that is a credit.`);
  const credit_cents = Math.min(sum_cents, notNegative(given.credit_cents));
  const tax_cents = applyBasisPoints(sum_cents - credit_cents, given.tax_basis_points);
  const total_cents = sumCents([sum_cents, -credit_cents, tax_cents]);
  const prepaid_cents = Math.min(total_cents, notNegative(given.prepaid_cents));
  return { lines, sum_cents, credit_cents, tax_cents, total_cents, prepaid_cents, due_cents: total_cents - prepaid_cents };
}

/** The credit note that reverses a whole invoice: every amount is negated, so that both together are zero in each of them. */
export function reverseBill(bill: Bill): Bill {
  return {
    lines: bill.lines.map((line) => ({ ...line, cents: negative(line.cents) })),
    sum_cents: negative(bill.sum_cents),
    credit_cents: negative(bill.credit_cents),
    tax_cents: negative(bill.tax_cents),
    total_cents: negative(bill.total_cents),
    prepaid_cents: negative(bill.prepaid_cents),
    due_cents: negative(bill.due_cents),
  };
}

/**
 * A credit note to the balance, for lines with a sum of zero or less. The balance is deducted from later invoices before tax, so no tax is
 * refunded here.
 */
export function creditBill(lines: Line[]): Bill {
  const sum_cents = sumCents(lines.map((line) => line.cents));
  if (sum_cents > 0) throw new RangeError(`The lines of a credit add up to ${sum_cents} cents: that is an invoice.`);
  return { lines, sum_cents, credit_cents: sum_cents, tax_cents: 0, total_cents: 0, prepaid_cents: 0, due_cents: 0 };
}

/** Invoices and credit notes of an installation share one series of numbers without gaps: 1 is 'PD-000001'. */
export function documentNumber(n: number): string {
  if (!Number.isSafeInteger(n) || n < 1) throw new RangeError(`Documents are numbered from 1, not ${n}.`);
  return `PD-${String(n).padStart(6, '0')}`;
}

function notNegative(cents: Cents): Cents {
  if (!Number.isSafeInteger(cents) || cents < 0) throw new RangeError(`A balance of ${cents} cents cannot be used.`);
  return cents;
}
