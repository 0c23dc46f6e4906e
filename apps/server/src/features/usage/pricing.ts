import { unitPrices } from '@paddock/contract/plans';
import { hoursOf } from './months.ts';

export type Kind = 'compute_s' | 'core_ms' | 'bandwidth_bytes' | 'storage_byte_hours';

/** An amount of one kind; `of_month` is the month in which it arose, whose hours make GB-months of stored bytes. */
export interface Amount {
  kind: Kind;
  amount: number;
  of_month: string;
}
export interface Quantities {
  compute_hours: number;
  bandwidth_gb: number;
  database_storage_gb: number;
}

const unitsPer = { compute_s: 3600, core_ms: 3_600_000, bandwidth_bytes: 1e9, storage_byte_hours: 1e9 } as const;

/** Of a unit of a kind in cents; what has no price has 0. */
export const centsPer = (kind: Kind, month: string): number => {
  if (kind === 'core_ms') return 0;
  if (kind === 'compute_s') return unitPrices.compute_hour / unitsPer.compute_s;
  if (kind === 'bandwidth_bytes') return unitPrices.bandwidth_gb / unitsPer.bandwidth_bytes;
  return unitPrices.storage_gb_month / unitsPer.storage_byte_hours / hoursOf(month);
};

/** Hours, GB and GB-months, to a millionth. */
export function quantitiesOf(amounts: readonly Amount[]): Quantities & { core_hours: number } {
  const sum = (kind: Kind) =>
    rounded(
      amounts
        .filter((each) => each.kind === kind)
        .reduce(
          (total, { amount, of_month }) => total + amount / unitsPer[kind] / (kind === 'storage_byte_hours' ? hoursOf(of_month) : 1),
          0,
        ),
      6,
    );
  return {
    compute_hours: sum('compute_s'),
    core_hours: sum('core_ms'),
    bandwidth_gb: sum('bandwidth_bytes'),
    database_storage_gb: sum('storage_byte_hours'),
  };
}

/** Dollars: each rounded to cents, so that they add up to their total as people see it. */
export function costsOf({ compute_hours, bandwidth_gb, database_storage_gb }: Quantities) {
  const compute = Math.round(compute_hours * unitPrices.compute_hour);
  const bandwidth = Math.round(bandwidth_gb * unitPrices.bandwidth_gb);
  const storage = Math.round(database_storage_gb * unitPrices.storage_gb_month);
  return {
    compute_cost: compute / 100,
    bandwidth_cost: bandwidth / 100,
    database_storage_cost: storage / 100,
    cost: (compute + bandwidth + storage) / 100,
  };
}

/** Of a day: dollars to a hundredth of a cent, since a day often costs less than a cent. */
export const fineCostOf = ({ compute_hours, bandwidth_gb, database_storage_gb }: Quantities): number =>
  rounded(
    (compute_hours * unitPrices.compute_hour + bandwidth_gb * unitPrices.bandwidth_gb + database_storage_gb * unitPrices.storage_gb_month) /
      100,
    4,
  );

/** Quantities and their cost in cents. */
export function pricedOf(quantities: Quantities) {
  const { compute_hours, bandwidth_gb, database_storage_gb } = quantities;
  return { compute_hours, bandwidth_gb, database_storage_gb, cost: costsOf(quantities).cost };
}

/** At the end of the month, if what was used in the hours so far goes on. */
export function projectedOf(so_far: Quantities, { elapsed, hours }: { elapsed: number; hours: number }) {
  const grown = (quantity: number) => rounded((quantity / elapsed) * hours, 6);
  return pricedOf({
    compute_hours: grown(so_far.compute_hours),
    bandwidth_gb: grown(so_far.bandwidth_gb),
    database_storage_gb: grown(so_far.database_storage_gb),
  });
}

const rounded = (value: number, digits: number) => Number(value.toFixed(digits));
