import type { Client } from '@paddock/client';
import type { Budget, BudgetKind, UsageOfMonth } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { type PlanId, plans } from '@paddock/contract/plans';
import type { contract } from '@paddock/contract/routes';
import { dayMs } from '@paddock/contract/time';
import { answer } from '../../../demo/answering.ts';
import type { DemoWorld } from '../../../demo/demo-world.ts';
import { type Amounts, closedAt, costs, type Day, type Meter, monthAfter, priced, pricedParts, sum } from './amounts.ts';

interface World extends Pick<DemoWorld, 'projects'> {
  meter: Meter;
  /** Dollars that the models of a project, or of all, cost this month. */
  modelCost: (project_id: string | undefined) => number;
}
type Asked = { now: number; project_id?: string | undefined; isFull: boolean };

const shownMonths = 4;

/** Usage of the demo. Budgets last until reload. */
export function demoUsage(world: World, plan: () => PlanId | null): Client<typeof contract>['usage'] {
  const amounts: Record<BudgetKind, Map<string | null, number>> = { usage: new Map([[null, 400]]), models: new Map([[null, 5]]) };
  const nameOf = (id: string | null) => world.projects.find((project) => project.id === id)?.name ?? null;

  function budgets(): { budgets: Budget[] } {
    const now = Date.now();
    const month = new Date(now).toISOString().slice(0, 7);
    const spent = {
      usage: (project_id: string | undefined) => record(world, month, { now, project_id, isFull: false }).cost,
      models: (project_id: string | undefined) => Math.round(world.modelCost(project_id) * 100) / 100,
    };
    const shown = (['usage', 'models'] as const).flatMap((kind) =>
      [...amounts[kind]].map(([project_id, amount]) => ({
        kind,
        project_id,
        project_name: nameOf(project_id),
        amount,
        spent: spent[kind](project_id ?? undefined),
      })),
    );
    return { budgets: shown.filter(({ project_id, project_name }) => project_id === null || project_name !== null) };
  }

  return {
    list: ({ month, project_id } = {}, options) =>
      answer(() => {
        if (project_id !== undefined && nameOf(project_id) === null) throw new ApiError('project_not_found');
        const now = Date.now();
        const today = new Date(now);
        const months = Array.from({ length: shownMonths }, (_, n) =>
          new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - n)).toISOString().slice(0, 7),
        );
        if (month !== undefined && !months.includes(month))
          throw new ApiError('input_invalid', { errors: [{ path: 'month', message: `From ${months.at(-1)} to ${months[0]}` }] });
        const id = plan();
        const usage = (month === undefined ? months : [month]).map((each, at) => ({
          ...record(world, each, { now, project_id, isFull: at === 0 }),
          base_plan_cost: each === months[0] && project_id === undefined ? (id ? plans[id].price_cents : 0) / 100 : null,
        }));
        return { usage, metered_at: new Date(now - (now % 60_000)).toISOString(), next_cursor: null };
      }, options),
    budgets: (_input, options) => answer(budgets, options),
    setBudget: ({ kind = 'usage', project_id = null, amount }, options) =>
      answer(() => {
        if (project_id !== null && nameOf(project_id) === null) throw new ApiError('project_not_found');
        if (amount === null) amounts[kind].delete(project_id);
        else amounts[kind].set(project_id, amount);
        return budgets();
      }, options),
  };
}

function record(world: World, month: string, { now, project_id, isFull }: Asked): Omit<UsageOfMonth, 'base_plan_cost'> {
  const first = Date.parse(`${month}-01`);
  const days = world.meter.days(first, now);
  const mine = ({ of }: Day): Amounts => (project_id === undefined ? sum(of.values()) : (of.get(project_id) ?? [0, 0, 0]));
  const used = sum(days.map(mine));
  const [compute_cost, bandwidth_cost, database_storage_cost] = costs(used);
  const [elapsed, whole] = [now - first, monthAfter(first) - first];
  const rows = world.meter
    .projects()
    .filter(({ id }) => project_id === undefined || id === project_id)
    .map((project) => ({ ...project, of: sum(days.map(({ of }) => of.get(project.id) ?? [0, 0, 0])) }))
    .toSorted((a, b) => priced(b.of).cost - priced(a.of).cost);
  const ofRows = pricedParts(rows.map(({ of }) => of));
  const projects = rows.map(({ id, name, is_deleted }, at) => ({ project_id: id, project_name: name, is_deleted, ...ofRows[at]! }));
  const ofDays = pricedParts(days.map(mine));
  return {
    month,
    ...priced(used),
    core_hours: used[0],
    compute_cost,
    bandwidth_cost,
    database_storage_cost,
    projected: elapsed > dayMs && elapsed < whole ? priced(used.map((amount) => (amount / elapsed) * whole) as Amounts) : null,
    corrections: [],
    closed_at: now > closedAt(first) ? new Date(closedAt(first)).toISOString() : null,
    by_project: isFull ? projects.filter(({ cost }) => cost > 0) : null,
    by_day: isFull ? days.map(({ day }, at) => ({ day, ...ofDays[at]! })) : null,
  };
}
