import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { type Bill, creditBill, documentNumber, makeBill, reverseBill } from './bill.ts';
import { chargePostings } from './ledger.ts';
import { type Line, planLine, usageLines } from './lines.ts';
import { periodAt } from './period.ts';

const november = periodAt(Date.parse('2026-11-05T08:00:00Z'), 0);
const quantities = { compute: 360_000n, bandwidth: 12_340_000_000n, storage: 0n };
const amountsOf = ({ sum_cents, credit_cents, tax_cents, total_cents, prepaid_cents, due_cents }: Bill) => ({
  sum_cents,
  credit_cents,
  tax_cents,
  total_cents,
  prepaid_cents,
  due_cents,
});

test('an invoice has the plan, the usage of the month, credit before tax, and prepaid money after tax', () => {
  const lines = [planLine('pro', november), ...usageLines({ month: '2026-10', quantities })];
  const bill = makeBill(lines, { credit_cents: 1_000, prepaid_cents: 500, tax_basis_points: 1_900 });
  assert.deepEqual(
    bill.lines.map(({ kind, text, cents }) => [kind, text, cents]),
    [
      ['plan', 'Pro plan', 9_900],
      ['compute', 'Compute at $0.10 per hour, 2026-10', 1_000],
      ['bandwidth', 'Bandwidth at $0.05 per GB, 2026-10', 62],
    ],
  );
  const sums = { sum_cents: 10_962, credit_cents: 1_000, tax_cents: 1_893, total_cents: 11_855, prepaid_cents: 500, due_cents: 11_355 };
  assert.deepEqual(amountsOf(bill), sums);
});

test('a balance larger than the invoice pays it and leaves the rest', () => {
  const bill = makeBill([planLine('starter', november)], { credit_cents: 5_000, prepaid_cents: 700, tax_basis_points: 1_900 });
  assert.deepEqual([bill.credit_cents, bill.tax_cents, bill.prepaid_cents, bill.due_cents], [2_900, 0, 0, 0]);
});

test('storage names the hours of its month, so that the price can be checked by hand', () => {
  const [line] = usageLines({ month: '2026-02', quantities: { compute: 0n, bandwidth: 0n, storage: 672n * 10n ** 9n } });
  assert.deepEqual([line?.text, line?.cents], ['Database storage at $0.20 per GB and month of 672 hours, 2026-02', 20]);
});

const cents = fc.integer({ min: 0, max: 10_000_000 });
const anyBill = fc
  .record({ amounts: fc.array(cents, { maxLength: 40 }), credit_cents: cents, prepaid_cents: cents, tax_basis_points: fc.nat(10_000) })
  .map(({ amounts, ...given }) => ({ given, bill: makeBill(amounts.map(lineOf), given) }));

function lineOf(amount: number): Line {
  return { kind: 'compute', text: 'Compute', cents: amount };
}

test('the amounts of every invoice add up, no balance is overdrawn, and its entry and its mirror are balanced', () => {
  fc.assert(
    fc.property(anyBill, ({ given, bill }) => {
      assert.equal(bill.sum_cents - bill.credit_cents + bill.tax_cents, bill.total_cents);
      assert.equal(bill.total_cents - bill.prepaid_cents, bill.due_cents);
      assert.ok(bill.credit_cents <= given.credit_cents && bill.prepaid_cents <= given.prepaid_cents && bill.due_cents >= 0);
      const mirror = reverseBill(bill);
      for (const [name, value] of Object.entries(amountsOf(bill))) assert.equal(value + amountsOf(mirror)[name as 'due_cents'], 0, name);
      assert.equal(
        [...bill.lines, ...mirror.lines].reduce((sum, line) => sum + line.cents, 0),
        0,
      );
      const sums = [bill, mirror].map((one) => Object.values(chargePostings(one)).reduce((sum, part) => sum + part, 0));
      assert.deepEqual(sums.map(Math.abs), [0, 0]);
    }),
  );
});

test('what is below zero is a credit, and what is above zero is an invoice', () => {
  const nothing = { credit_cents: 0, prepaid_cents: 0, tax_basis_points: 0 };
  assert.throws(() => makeBill([lineOf(-1)], nothing), RangeError);
  assert.throws(() => creditBill([lineOf(1)]), RangeError);
  assert.throws(() => makeBill([lineOf(1)], { ...nothing, credit_cents: -1 }), RangeError);
});

test('documents are numbered from 1', () => {
  assert.deepEqual([1, 42, 12_345_678].map(documentNumber), ['PD-000001', 'PD-000042', 'PD-12345678']);
  for (const wrong of [0, -1, 1.5]) assert.throws(() => documentNumber(wrong), RangeError);
});
