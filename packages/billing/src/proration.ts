import { plans } from '@paddock/contract/plans';
import { type Cents, divideHalfUp, sumCents, toCents } from './cents.ts';
import { type Instant, type Period, secondsOf } from './period.ts';

/** All prices of plans, cheapest first. */
const ladder: readonly Cents[] = [...new Set(Object.values(plans).map((plan) => plan.price_cents))].sort((a, b) => a - b);

/**
 * What the rest of a period is worth at a price, in cents: remaining seconds over the period's whole seconds, times the price. Each step between two
 * neighbouring prices is rounded half up by itself. So a switch between neighbours costs exactly the rounded share of their difference; switches at
 * one instant cost the same by every way, and there and back costs nothing; and an upgrade that is taken back later never pays money out. Rounding
 * the two values by themselves would: somebody could be on the larger plan only while the smaller one loses a cent.
 */
export function restOf(price: Cents, { period, at, prices = ladder }: { period: Period; at: Instant; prices?: readonly Cents[] }): Cents {
  const top = prices.indexOf(price);
  if (top < 0) throw new RangeError(`${price} is the price of no plan.`);
  const { left, whole } = secondsOf(period, at);
  const steps = prices.slice(0, top + 1).map((cents, index) => cents - (prices[index - 1] ?? 0));
  return sumCents(steps.map((step) => toCents(divideHalfUp(BigInt(step) * BigInt(left), BigInt(whole)))));
}
