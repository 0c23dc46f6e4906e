import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PlanId, planIds, plans } from '@paddock/contract/plans';
import * as fc from 'fast-check';
import { sumCents } from './cents.ts';
import { switchLines } from './lines.ts';
import { countSeconds, periodAt } from './period.ts';
import { prorate } from './proration.ts';

const period = periodAt(Date.parse('2026-11-01T00:00:00Z'), 0);
const anyPlan = fc.constantFrom(...planIds);
const anyInstant = fc.integer({ min: 0, max: (period.end - period.start) / 1000 }).map((seconds) => period.start + seconds * 1000);
const cost = (from: PlanId, to: PlanId, at: number) => sumCents(switchLines({ from, to }, { period, at }).map(({ cents }) => cents));

test('half of a period costs half of the difference, and both plans can be read on the invoice', () => {
  const lines = switchLines({ from: 'starter', to: 'pro' }, { period, at: Date.parse('2026-11-16T00:00:00Z') });
  assert.deepEqual(
    lines.map(({ text, cents }) => [text, cents]),
    [
      ['Unused time on Starter', -1_450],
      ['Remaining time on Pro', 4_950],
    ],
  );
});

test('at the first second a switch costs the whole difference, at the last instant nothing', () => {
  assert.equal(cost('starter', 'enterprise', period.start), 27_000);
  assert.equal(Math.abs(cost('starter', 'enterprise', period.end)), 0);
});

test('a switch to the next larger plan is the remaining seconds over the whole seconds times the difference, rounded half up', () => {
  fc.assert(
    fc.property(anyInstant, (at) => {
      const { left, whole } = countSeconds(period, at);
      const exact = 2n * BigInt(left) * 7_000n;
      assert.equal(BigInt(cost('starter', 'pro', at)), (exact + BigInt(whole)) / (2n * BigInt(whole)));
    }),
  );
});

test('by whatever plans a person goes at one instant, the end alone counts, and there and back costs nothing', () => {
  fc.assert(
    fc.property(anyInstant, fc.array(anyPlan, { minLength: 2, maxLength: 12 }), (at, way) => {
      const costs = way.slice(1).map((to, index) => cost(way[index]!, to, at));
      assert.equal(sumCents(costs), sumCents([cost(way[0]!, way.at(-1)!, at)]));
      assert.equal(sumCents([...costs, cost(way.at(-1)!, way[0]!, at)]), 0);
    }),
  );
});

/** Costs of a series of switches at ascending instants that begins and ends on the same plan and never goes below it. */
function costOfRound(base: PlanId, moves: { at: number; to: PlanId }[]): number {
  const sorted = moves.toSorted((one, other) => one.at - other.at);
  let plan = base;
  let sum = 0;
  for (const { at, to } of [...sorted, { at: period.end, to: base }]) {
    sum += cost(plan, to, at);
    plan = to;
  }
  return sum;
}

test('however often and whenever a person switches, no rounding pays them: larger plans for a while never cost less than nothing', () => {
  const moves = fc.array(fc.record({ at: anyInstant, to: anyPlan }), { maxLength: 40 });
  fc.assert(fc.property(moves, (list) => assert.ok(costOfRound('starter', list) >= 0)));
  // Separate rounding paid out a cent around each instant at which the smaller plan loses a cent.
  const seconds = (period.end - period.start) / 1000;
  for (let cents = 1; cents < 2_900; cents += 97) {
    const around = period.end - Math.round(((cents - 0.5) / 2_900) * seconds) * 1000;
    const list = [
      { at: around - 1000, to: 'pro' as const },
      { at: around + 2000, to: 'starter' as const },
    ];
    assert.ok(costOfRound('starter', list) >= 0, `around ${new Date(around).toISOString()}`);
  }
});

test('a switch is within a cent of its exact cost', () => {
  fc.assert(
    fc.property(anyInstant, anyPlan, anyPlan, (at, from, to) => {
      const { left, whole } = countSeconds(period, at);
      const off = BigInt(cost(from, to, at)) * BigInt(whole) - BigInt(plans[to].price_cents - plans[from].price_cents) * BigInt(left);
      assert.ok(off <= BigInt(whole) && off >= -BigInt(whole));
    }),
  );
});

test('the rest of a plan shrinks with time to nothing, for any ladder of prices', () => {
  const prices = fc.uniqueArray(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(prices, anyInstant, anyInstant, (list, one, other) => {
      const rising = list.toSorted((a, b) => a - b);
      const [early, late] = [Math.min(one, other), Math.max(one, other)];
      for (const price of rising) {
        assert.ok(prorate(price, { period, at: early, prices: rising }) >= prorate(price, { period, at: late, prices: rising }));
        assert.equal(prorate(price, { period, at: period.start, prices: rising }), price);
        assert.equal(prorate(price, { period, at: period.end, prices: rising }), 0);
      }
    }),
  );
  assert.throws(() => prorate(1, { period, at: period.start }), RangeError);
});
