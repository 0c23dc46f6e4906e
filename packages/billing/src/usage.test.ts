import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { chargedDays, costOfParts, countHours, exactCost, usageCost, usageKinds } from './usage.ts';

test('an hour, a GB of 10^9 bytes and a GB stored for a month cost what the table says', () => {
  assert.equal(usageCost('compute', 3_600n, '2026-11'), 10);
  assert.equal(usageCost('bandwidth', 10n ** 9n, '2026-11'), 5);
  for (const month of ['2026-02', '2026-11', '2026-12', '2028-02']) {
    assert.equal(usageCost('storage', 10n ** 9n * BigInt(countHours(month)), month), 20, month);
  }
});

test('months have their own hours', () => {
  assert.deepEqual(['2026-02', '2028-02', '2026-11', '2026-12'].map(countHours), [672, 696, 720, 744]);
  for (const wrong of ['2026-13', '2026-00', '2026-1', 'November', '']) assert.throws(() => countHours(wrong), RangeError);
});

const kinds = fc.constantFrom(...usageKinds);
const days = fc.array(fc.bigInt({ min: 0n, max: 10n ** 17n }), { minLength: 1, maxLength: 31 });

test('the cost of a month does not depend on how its usage was split, and its parts add up to the cent', () => {
  fc.assert(
    fc.property(kinds, days, (kind, parts) => {
      const whole = parts.reduce((sum, part) => sum + part, 0n);
      const costs = costOfParts(kind, parts, '2026-11');
      assert.equal(
        costs.reduce((sum, cents) => sum + cents, 0),
        usageCost(kind, whole, '2026-11'),
      );
      assert.deepEqual(costOfParts(kind, parts.slice(0, -1), '2026-11'), costs.slice(0, -1), 'a further day changes none before it');
      for (const [index, cents] of costs.entries()) {
        const { numerator, denominator } = exactCost(kind, parts[index]!, '2026-11');
        const off = BigInt(cents) * denominator - numerator;
        assert.ok(cents >= 0 && off <= denominator && off >= -denominator, 'each part is within a cent of its own cost');
      }
    }),
  );
});

test('30 days of a third of a cent are 10 cents, not 0 and not 30', () => {
  const daysOfAThird = Array.from({ length: 30 }, () => 120n);
  assert.equal(
    costOfParts('compute', daysOfAThird, '2026-11').reduce((sum, cents) => sum + cents, 0),
    10,
  );
});

test('petabytes for a month are exact, beyond what floating point counts', () => {
  assert.equal(usageCost('storage', 9_007_199_254_740_993n * 720n * 10n ** 3n, '2026-11'), 180_143_985_095);
  assert.throws(() => usageCost('compute', -1n, '2026-11'), RangeError);
  assert.throws(() => costOfParts('compute', [5n, -1n], '2026-11'), RangeError);
});

const at = (text: string) => Date.parse(text);

test('only whole UTC days within the subscription are charged', () => {
  const subscription = { from: at('2026-11-05T08:00:00Z'), until: at('2027-01-20T13:00:00Z') };
  const charged = ['2026-10', '2026-11', '2026-12', '2027-01', '2027-02'].map((month) => chargedDays(month, subscription));
  assert.deepEqual(charged, [
    undefined,
    { from: at('2026-11-06'), until: at('2026-12-01') },
    { from: at('2026-12-01'), until: at('2027-01-01') },
    { from: at('2027-01-01'), until: at('2027-01-20') },
    undefined,
  ]);
});

test('a subscription that began at midnight pays for its first day, and one of some hours for none', () => {
  assert.deepEqual(chargedDays('2026-11', { from: at('2026-11-05'), until: null }), { from: at('2026-11-05'), until: at('2026-12-01') });
  assert.equal(chargedDays('2026-11', { from: at('2026-11-05T01:00:00Z'), until: at('2026-11-05T22:00:00Z') }), undefined);
});
