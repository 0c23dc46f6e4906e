import { plans } from '@paddock/contract/plans';
import { type Cents, divideHalfUp, sumCents, toCents } from './cents.ts';
import { countSeconds, type Instant, type Period } from './period.ts';

/** All prices of plans, cheapest first. */
const ladder: readonly Cents[] = [...new Set(Object.values(plans).map((plan) => plan.price_cents))].sort((a, b) => a - b);

/**
 * The value of the rest of a period at a price, in cents: remaining seconds over the period's whole seconds, times the price. Each step
 * between two neighbouring prices is rounded half up separately. Therefore a switch between neighbours costs exactly the rounded share of
 * their difference, switches at one instant cost the same on every path and nothing for a round trip, and an upgrade that is reversed later
 * never pays money out. Rounding the two values separately would: a team could be on the larger plan only while the smaller one loses a
 * cent.
 */
export function prorate(price: Cents, { period, at, prices = ladder }: { period: Period; at: Instant; prices?: readonly Cents[] }): Cents {
  const top = prices.indexOf(price);
  if (top < 0) throw new RangeError(`${price} is the price of no plan.`);
  const { left, whole } = countSeconds(period, at);
  const steps = prices.slice(0, top + 1).map((cents, index) => cents - (prices[index - 1] ?? 0));
  return sumCents(steps.map((step) => toCents(divideHalfUp(BigInt(step) * BigInt(left), BigInt(whole)))));
}
