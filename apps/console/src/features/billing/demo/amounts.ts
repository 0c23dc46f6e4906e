import { unitPrices } from '@paddock/contract/plans';
import { dayMs } from '@paddock/contract/time';
import type { DemoWorld } from '../../../demo/demo-world.ts';

const prices = [unitPrices.compute_hour, unitPrices.bandwidth_gb, unitPrices.storage_gb_month] as const;

export type Amounts = [hours: number, gb: number, stored: number];
/** Usage of each project on a day. */
export type Day = { day: string; of: Map<string, Amounts> };

/** Costs in dollars, each rounded to cents. */
export const costs = (of: Amounts) => of.map((amount, at) => Math.round(amount * (prices[at] ?? 0)) / 100) as Amounts;
export const sum = (all: Iterable<Amounts>) =>
  [...all].reduce<Amounts>((total, each) => total.map((value, at) => value + (each[at] ?? 0)) as Amounts, [0, 0, 0]);
export const told = ([compute_hours, bandwidth_gb, database_storage_gb]: Amounts) => ({ compute_hours, bandwidth_gb, database_storage_gb });
const cents = (of: Amounts) => Math.round(costs(of).reduce((all, each) => all + each, 0) * 100);
export const priced = (of: Amounts) => ({ ...told(of), cost: cents(of) / 100 });
/** The parts with their costs, which add up to the cost of the total. */
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

/** When a month is closed, after which it no longer changes: six hours after its end, as on the server. */
export const closedAt = (first: number) => monthAfter(first) + dayMs / 4;

type World = Pick<DemoWorld, 'projects' | 'deployments'>;
/** A project with the number of its running agents. */
type Running = { id: string; name: string; agents: number };
export type Meter = ReturnType<typeof demoMeter>;

/** Usage of the demo's agents. Days before `began` follow the sample data, whatever was deployed, stopped or deleted since. */
export function demoMeter(world: World, began = Date.now()) {
  const before = runningIn(world);
  const today = began - (began % dayMs);
  return {
    /** The days of a month up to now: active agents run all day, and get fewer requests at weekends. */
    days(first: number, now: number): Day[] {
      const end = Math.min(now, monthAfter(first));
      const length = (monthAfter(first) - first) / dayMs;
      return Array.from({ length: Math.ceil((end - first) / dayMs) }, (_, n) => {
        const at = first + n * dayMs;
        return buildDay(at < today ? before : runningIn(world), { at, part: Math.min(1, (end - at) / dayMs), length });
      });
    },
    /** All projects with usage, including deleted ones. */
    projects(): { id: string; name: string; is_deleted: boolean }[] {
      const isKept = (id: string) => world.projects.some((project) => project.id === id);
      const gone = before.filter(({ id }) => !isKept(id)).map(({ id, name }) => ({ id, name, is_deleted: true }));
      return [...world.projects.map(({ id, name }) => ({ id, name, is_deleted: false })), ...gone];
    },
  };
}

const runningIn = ({ projects, deployments }: World): Running[] =>
  projects.map(({ id, name }) => {
    const agents = deployments.filter(({ row }) => row.project_id === id && row.status === 'active').length;
    return { id, name, agents };
  });

function buildDay(running: readonly Running[], { at, part, length }: { at: number; part: number; length: number }): Day {
  const asked = new Date(at).getUTCDay() % 6 === 0 ? 1.2 : 2.4;
  const of = running.map(({ id, agents }, rank): [string, Amounts] => {
    const weight = (3 * part) / (rank + 1);
    return [id, agents > 0 ? [24 * part * agents, asked * weight, (1.8 * weight) / length] : [0, 0, 0]];
  });
  return { day: new Date(at).toISOString().slice(0, 10), of: new Map(of) };
}
