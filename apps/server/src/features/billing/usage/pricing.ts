import { costOfParts, divideHalfUp, exactCost, type Quantities, toUnits, type UsageKind, usageCost, usageKinds } from '@paddock/billing';

export type Kind = 'compute_s' | 'core_ms' | 'bandwidth_bytes' | 'storage_byte_hours';

/** A sum of rows of one kind, as text: byte-hours exceed the safe integers. */
export interface Amount {
  kind: Kind;
  amount: string;
}

const kindOf = { compute: 'compute_s', bandwidth: 'bandwidth_bytes', storage: 'storage_byte_hours' } as const satisfies Record<
  UsageKind,
  Kind
>;

/** Total seconds, bytes and byte-hours. */
export function sumAmounts(amounts: readonly Amount[]): Quantities {
  const sum = (kind: UsageKind) =>
    amounts.reduce((total, { kind: own, amount }) => (own === kindOf[kind] ? total + BigInt(amount) : total), 0n);
  return { compute: sum('compute'), bandwidth: sum('bandwidth'), storage: sum('storage') };
}

export const addUsage = (one: Quantities, other: Quantities): Quantities => ({
  compute: one.compute + other.compute,
  bandwidth: one.bandwidth + other.bandwidth,
  storage: one.storage + other.storage,
});

/** The difference; zero if the subtrahend is larger, since it may have been read a moment later. */
export function subtractUsage(one: Quantities, other: Quantities): Quantities {
  const rest = (kind: UsageKind) => (one[kind] > other[kind] ? one[kind] - other[kind] : 0n);
  return { compute: rest('compute'), bandwidth: rest('bandwidth'), storage: rest('storage') };
}

export const isZero = (used: Quantities): boolean => usageKinds.every((kind) => used[kind] === 0n);

/** Extrapolates a month's usage from its `elapsed` of `whole` hours. */
export function forecast(used: Quantities, { elapsed, whole }: { elapsed: number; whole: number }): Quantities {
  const [part, all] = [BigInt(Math.round(elapsed * 3600)), BigInt(whole * 3600)];
  const more = (kind: UsageKind) => divideHalfUp(used[kind] * all, part);
  return { compute: more('compute'), bandwidth: more('bandwidth'), storage: more('storage') };
}

// Below, a month is named by its first day. Everything counted in a month has that month's price, including corrections of earlier ones: as on
// invoices.

/** Hours, GB and GB-months, to a millionth, for display. Prices are computed from the exact quantities. */
export function unitsIn(month: string, used: Quantities) {
  const units = (kind: UsageKind) => toUnits(kind, used[kind], month.slice(0, 7));
  return { compute_hours: units('compute'), bandwidth_gb: units('bandwidth'), database_storage_gb: units('storage') };
}

/** Cents of each kind, rounded once each, like the lines of an invoice. */
export function computeCents(month: string, used: Quantities): Record<UsageKind, number> {
  const cents = (kind: UsageKind) => usageCost(kind, used[kind], month.slice(0, 7));
  return { compute: cents('compute'), bandwidth: cents('bandwidth'), storage: cents('storage') };
}

export const totalCents = (month: string, used: Quantities): number => sumOf(Object.values(computeCents(month, used)));

/** Units and dollars of each part, such as a day or a project: the parts add up to the `totalCents` of the whole. */
export function pricedParts(month: string, parts: readonly Quantities[]) {
  const costs = usageKinds.map((kind) =>
    costOfParts(
      kind,
      parts.map((part) => part[kind]),
      month.slice(0, 7),
    ),
  );
  return parts.map((part, at) => ({ ...unitsIn(month, part), cost: sumOf(costs.map((of) => of[at] ?? 0)) / 100 }));
}

/** Approximate cents for one unit, to sort projects. */
export function computeUnitCents(kind: UsageKind, month: string): number {
  const { numerator, denominator } = exactCost(kind, 1n, month.slice(0, 7));
  return Number(numerator) / Number(denominator);
}

const sumOf = (cents: readonly number[]) => cents.reduce((sum, each) => sum + each, 0);
