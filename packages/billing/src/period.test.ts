import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { countSeconds, findPeriod, periodAt } from './period.ts';

const text = (instant: number) => new Date(instant).toISOString().replace('.000Z', '');
const startsFrom = (anchor: string, count: number) =>
  Array.from({ length: count }, (_, n) => text(periodAt(Date.parse(anchor), n).start).slice(0, 10));

test('a subscription from the 31st renews on the last day of shorter months and comes back to the 31st', () => {
  assert.deepEqual(startsFrom('2026-10-31T12:00:00Z', 8), [
    '2026-10-31',
    '2026-11-30',
    '2026-12-31',
    '2027-01-31',
    '2027-02-28',
    '2027-03-31',
    '2027-04-30',
    '2027-05-31',
  ]);
});

test('February has its 29th day in leap years alone', () => {
  assert.equal(startsFrom('2027-01-30T00:00:00Z', 14)[13], '2028-02-29');
  assert.equal(startsFrom('2028-02-29T00:00:00Z', 13)[12], '2029-02-28');
  assert.equal(startsFrom('2028-02-29T00:00:00Z', 49)[48], '2032-02-29');
  assert.equal(startsFrom('2096-02-29T00:00:00Z', 49)[48], '2100-02-28');
});

test('the time of day is kept in UTC, whatever the clocks of the machine do', () => {
  assert.deepEqual(periodAt(Date.parse('2026-01-31T23:59:59Z'), 1), {
    start: Date.parse('2026-02-28T23:59:59Z'),
    end: Date.parse('2026-03-31T23:59:59Z'),
  });
});

const anchors = fc.integer({ min: Date.parse('1990-01-01') / 1000, max: Date.parse('2090-01-01') / 1000 }).map((seconds) => seconds * 1000);

test('periods follow each other without a gap, have 28 to 31 days, and begin on the day of the start for years', () => {
  fc.assert(
    fc.property(anchors, fc.nat(600), (anchor, n) => {
      const period = periodAt(anchor, n);
      assert.equal(period.end, periodAt(anchor, n + 1).start);
      const days = (period.end - period.start) / 86_400_000;
      assert.ok(days >= 28 && days <= 31 && Number.isInteger(days));
      const [first, now] = [new Date(anchor), new Date(period.start)];
      const monthsLater = (now.getUTCFullYear() - first.getUTCFullYear()) * 12 + now.getUTCMonth() - first.getUTCMonth();
      assert.equal(monthsLater, n);
      const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0)).getUTCDate();
      assert.equal(now.getUTCDate(), Math.min(first.getUTCDate(), last));
      assert.equal(text(period.start).slice(10), text(anchor).slice(10));
    }),
  );
});

test('each instant is in exactly the period that says so, from its first millisecond to its last', () => {
  fc.assert(
    fc.property(anchors, fc.nat(600), fc.double({ min: 0, max: 1, noNaN: true }), (anchor, n, share) => {
      const { start, end } = periodAt(anchor, n);
      const within = Math.min(end - 1, Math.floor(start + share * (end - start)));
      for (const instant of [start, within, end - 1]) assert.deepEqual(findPeriod(anchor, instant), { start, end, n });
      assert.equal(findPeriod(anchor, end).n, n + 1);
    }),
  );
});

test('there is no period before the start, no period with a broken number, and no second outside of one', () => {
  assert.throws(() => findPeriod(1000, 999), RangeError);
  assert.throws(() => findPeriod(1000, Number.NaN), RangeError);
  for (const n of [-1, 0.5, Number.NaN, 1e9]) assert.throws(() => periodAt(0, n), RangeError);
  assert.throws(() => periodAt(Number.NaN, 0), RangeError);
  assert.throws(() => countSeconds(periodAt(0, 0), -1), RangeError);
});
