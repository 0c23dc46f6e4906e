import { type PlanId, plans, unitPrices } from '@paddock/contract/plans';
import { type Cents, formatMoney, negative } from './cents.ts';
import type { Instant, Period } from './period.ts';
import { prorate } from './proration.ts';
import { countHours, type Month, type Quantities, type UsageKind, usageCost, usageKinds } from './usage.ts';

/** A line of an invoice or a credit note, in whole cents. */
export interface Line {
  kind: 'plan' | 'proration' | UsageKind;
  text: string;
  cents: Cents;
  /** The charged item: the plan with its period, or the month with its exact quantity in seconds, bytes or byte-hours. */
  plan?: PlanId;
  period?: Period;
  month?: Month;
  quantity?: bigint;
}
export interface ClosedMonth {
  month: Month;
  quantities: Quantities;
}

export function planLine(plan: PlanId, period: Period): Line {
  const { name, price_cents } = plans[plan];
  return { kind: 'plan', text: `${name} plan`, cents: price_cents, plan, period };
}

/** Refunds the rest of the period on the old plan and charges it on the new plan, in two lines that make the difference clear. */
export function switchLines({ from, to }: { from: PlanId; to: PlanId }, { period, at }: { period: Period; at: Instant }): Line[] {
  const rest = { start: at, end: period.end };
  const worth = (plan: PlanId) => prorate(plans[plan].price_cents, { period, at });
  return [
    { kind: 'proration', text: `Unused time on ${plans[from].name}`, cents: negative(worth(from)), plan: from, period: rest },
    { kind: 'proration', text: `Remaining time on ${plans[to].name}`, cents: worth(to), plan: to, period: rest },
  ];
}

/** A line for each kind that was used. Each line is rounded once, from the sum of the month. */
export function usageLines({ month, quantities }: ClosedMonth): Line[] {
  return usageKinds
    .filter((kind) => quantities[kind] > 0n)
    .map((kind) => ({
      kind,
      text: `${usageTexts[kind](month)}, ${month}`,
      cents: usageCost(kind, quantities[kind], month),
      month,
      quantity: quantities[kind],
    }));
}

const usageTexts: Record<UsageKind, (month: Month) => string> = {
  compute: () => `Compute at ${formatMoney(unitPrices.compute_hour)} per hour`,
  bandwidth: () => `Bandwidth at ${formatMoney(unitPrices.bandwidth_gb)} per GB`,
  storage: (month) => `Database storage at ${formatMoney(unitPrices.storage_gb_month)} per GB and month of ${countHours(month)} hours`,
};
