import { unitPrices } from '@paddock/contract/plans';
import { dayMs, hourMs } from '@paddock/contract/time';
import { type Cents, divideHalfUp, toCents } from './cents.ts';
import type { Instant } from './period.ts';

export const usageKinds = ['compute', 'bandwidth', 'storage'] as const;
export type UsageKind = (typeof usageKinds)[number];
/**
 * Seconds of running agents, bytes through the gateway, bytes times hours of databases. They are bigint, since byte-hours exceed the safe
 * integers.
 */
export type Quantities = Record<UsageKind, bigint>;
/** A month of UTC as '2026-11'. */
export type Month = string;

const hourSeconds = 3600n;
const gigabyte = 1_000_000_000n;
const millionth = 1_000_000n;

/** Hours of a month: storage is priced for the real length of the month. Throws a RangeError for an invalid month. */
export function countHours(month: Month): number {
  const [start, end] = parseMonthBounds(month);
  return (end - start) / hourMs;
}

/** The exact cost as a fraction of a cent. Only the invoice's line rounds it, once. */
export function exactCost(kind: UsageKind, quantity: bigint, month: Month): { numerator: bigint; denominator: bigint } {
  if (quantity < 0n) throw new RangeError(`Usage of ${kind} cannot be ${quantity}.`);
  return { numerator: quantity * BigInt(prices[kind]), denominator: pickUnit(kind, month) };
}

const prices = {
  compute: unitPrices.compute_hour,
  bandwidth: unitPrices.bandwidth_gb,
  storage: unitPrices.storage_gb_month,
} as const satisfies Record<UsageKind, number>;

/** The quantity that the price refers to: an hour, a GB, a GB for a month. */
function pickUnit(kind: UsageKind, month: Month): bigint {
  if (kind === 'compute') return hourSeconds;
  return kind === 'bandwidth' ? gigabyte : gigabyte * BigInt(countHours(month));
}

/** Hours, GB or GB-months of a quantity, to a millionth, for display. Money is computed from the quantity itself. */
export const toUnits = (kind: UsageKind, quantity: bigint, month: Month): number =>
  Number(divideHalfUp(quantity * millionth, pickUnit(kind, month))) / Number(millionth);

/** Cents for the usage of one kind in one month, rounded half up once, for the sum of a month and not for its days. */
export function usageCost(kind: UsageKind, quantity: bigint, month: Month): Cents {
  const { numerator, denominator } = exactCost(kind, quantity, month);
  return toCents(divideHalfUp(numerator, denominator));
}

/**
 * Cents for each part of a month's usage, such as its days or projects. They sum to `usageCost` of the total, each is within a cent of its
 * exact cost, and appending a part does not change the earlier ones.
 */
export function costOfParts(kind: UsageKind, parts: readonly bigint[], month: Month): Cents[] {
  let [quantity, before] = [0n, 0];
  return parts.map((part) => {
    if (part < 0n) throw new RangeError(`Usage of ${kind} cannot be ${part}.`);
    quantity += part;
    const until = usageCost(kind, quantity, month);
    const cents = until - before;
    before = until;
    return cents;
  });
}

/**
 * The days of a month on which usage is charged, as instants of their first midnight and of the midnight after the last; undefined if there
 * are none.
 */
export type Days = { from: Instant; until: Instant } | undefined;

/**
 * Only whole UTC days within a subscription are charged. Usage before its first midnight and after its last one is free, like that of the
 * free plan. `until` is the end of the subscription, null while it runs.
 */
export function chargedDays(month: Month, subscription: { from: Instant; until: Instant | null }): Days {
  const [start, end] = parseMonthBounds(month);
  const from = Math.max(start, Math.ceil(subscription.from / dayMs) * dayMs);
  const until = Math.min(end, subscription.until === null ? end : Math.floor(subscription.until / dayMs) * dayMs);
  return from < until ? { from, until } : undefined;
}

function parseMonthBounds(month: Month): [Instant, Instant] {
  const [, year, number] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month) ?? [];
  if (!year || !number) throw new RangeError(`'${month}' is not a month such as '2026-11'.`);
  const start = new Date(0);
  start.setUTCFullYear(Number(year), Number(number) - 1, 1);
  const end = new Date(start);
  end.setUTCMonth(end.getUTCMonth() + 1);
  return [start.getTime(), end.getTime()];
}
