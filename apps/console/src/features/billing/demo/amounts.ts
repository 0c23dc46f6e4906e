import { unitPrices } from '@paddock/contract/plans';
import type { DemoWorld } from '../../../demo/demo-world.ts';

export const dayMs = 86_400_000;
const prices = [unitPrices.compute_hour, unitPrices.bandwidth_gb, unitPrices.storage_gb_month] as const;

export type Amounts = [hours: number, gb: number, stored: number];
/** What each project used on a day. */
export type Day = { day: string; of: Map<string, Amounts> };

/** Dollars, each rounded to cents. */
export const costs = (of: Amounts) => of.map((amount, at) => Math.round(amount * (prices[at] ?? 0)) / 100) as Amounts;
export const sum = (all: Iterable<Amounts>) =>
  [...all].reduce<Amounts>((total, each) => total.map((value, at) => value + (each[at] ?? 0)) as Amounts, [0, 0, 0]);
export const told = ([compute_hours, bandwidth_gb, database_storage_gb]: Amounts) => ({ compute_hours, bandwidth_gb, database_storage_gb });
const cents = (of: Amounts) => Math.round(costs(of).reduce((all, each) => all + each, 0) * 100);
export const priced = (of: Amounts) => ({ ...told(of), cost: cents(of) / 100 });
/** Each with its cost; they add up to the cost of all together. */
export function pricedParts(parts: readonly Amounts[]) {
  let [all, before]: [Amounts, number] = [[0, 0, 0], 0];
  return parts.map((part) => {
    all = sum([all, part]);
    const cost = (cents(all) - before) / 100;
    before = cents(all);
    return { ...told(part), cost };
  });
}

export const monthAfter = (first: number) => {
  const at = new Date(first);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1);
};

/** The days of a month up to now: active agents run all day, and are asked less at weekends. */
export function daysOf({ projects, deployments }: Pick<DemoWorld, 'projects' | 'deployments'>, first: number, now: number): Day[] {
  const end = Math.min(now, monthAfter(first));
  const length = (monthAfter(first) - first) / dayMs;
  const running = projects.map(({ id }) => deployments.filter(({ row }) => row.project_id === id && row.status === 'active').length);
  return Array.from({ length: Math.ceil((end - first) / dayMs) }, (_, n) => {
    const at = first + n * dayMs;
    const part = Math.min(1, (end - at) / dayMs);
    const asked = new Date(at).getUTCDay() % 6 === 0 ? 1.2 : 2.4;
    const of = projects.map(({ id }, rank): [string, Amounts] => {
      const weight = (3 * part) / (rank + 1);
      const agents = running[rank] ?? 0;
      return [id, agents > 0 ? [24 * part * agents, asked * weight, (1.8 * weight) / length] : [0, 0, 0]];
    });
    return { day: new Date(at).toISOString().slice(0, 10), of: new Map(of) };
  });
}
