import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { applyBasisPoints, divideHalfUp, formatMoney, sumCents, toCents } from './cents.ts';

test('money reads as dollars with two decimals and commas', () => {
  const texts = [0, 5, -5, 2_900, 123_450, 100_000_000, -123_456_789, Number.MAX_SAFE_INTEGER].map(formatMoney);
  assert.deepEqual(texts, ['$0.00', '$0.05', '-$0.05', '$29.00', '$1,234.50', '$1,000,000.00', '-$1,234,567.89', '$90,071,992,547,409.91']);
});

test('half a cent is rounded away from zero, in a bill as in its mirror', () => {
  const quotients = [1n, 2n, 3n, -1n, -2n, -3n, 5n, 7n].map((numerator) => divideHalfUp(numerator, 2n));
  assert.deepEqual(quotients, [1n, 1n, 2n, -1n, -1n, -2n, 3n, 4n]);
  assert.throws(() => divideHalfUp(1n, 0n), RangeError);
});

test('a quotient is within a half of the exact one, and the nearer of two neighbours', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.bigInt({ min: 1n, max: 10n ** 12n }), (numerator, denominator) => {
      const off = 2n * (numerator - divideHalfUp(numerator, denominator) * denominator);
      assert.ok(off <= denominator && off >= -denominator);
      assert.equal(divideHalfUp(-numerator, denominator), -divideHalfUp(numerator, denominator));
    }),
  );
});

test('amounts that cannot be counted exactly are refused, and never rounded in silence', () => {
  for (const wrong of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) assert.throws(() => toCents(wrong), RangeError);
  assert.throws(() => toCents(2n ** 53n), RangeError);
  assert.throws(() => sumCents([Number.MAX_SAFE_INTEGER, 1]), RangeError);
  assert.equal(Object.is(toCents(-0), 0), true);
});

test('a share of basis points is rounded once', () => {
  assert.deepEqual(
    [applyBasisPoints(9_900, 1_900), applyBasisPoints(50, 100), applyBasisPoints(49, 100), applyBasisPoints(9_900, 0)],
    [1_881, 1, 0, 0],
  );
  for (const wrong of [-1, 0.5, 10_001]) assert.throws(() => applyBasisPoints(1, wrong), RangeError);
});
