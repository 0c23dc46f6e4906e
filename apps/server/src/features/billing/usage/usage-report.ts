import { ApiError, type UsageOfMonth } from '@paddock/contract';
import { usageLimits } from '@paddock/contract/limits';
import { type PlanId, plans } from '@paddock/contract/plans';
import { dayMs } from '@paddock/contract/time';
import { dayOf, hoursSince, lengthOf, toMonth } from './months.ts';
import {
  type Amount,
  addUsage,
  computeCents,
  forecast,
  isZero,
  pricedParts,
  subtractUsage,
  sumAmounts,
  totalCents,
  unitsIn,
} from './pricing.ts';
import type { UsageStore } from './store.ts';

interface ReportDeps {
  month?: string | undefined;
  project_id?: string | undefined;
}
interface Months {
  first: string;
  last: string;
}

export interface UsageReportDeps {
  store: UsageStore;
  /** Null without a subscription. */
  planInForce: (team_id: string) => Promise<PlanId | null>;
  now: () => Date;
}

/** Usage of a team, newest month first. */
export const usageReport =
  ({ store, planInForce, now }: UsageReportDeps) =>
  async (team_id: string, { month, project_id }: ReportDeps): Promise<{ usage: UsageOfMonth[]; metered_at: string | null }> => {
    const at = now();
    const { first, last } = resolveMonths(at, month);
    if (project_id !== undefined) await store.checkProject(team_id, project_id);
    const [totals, closed, metered_at, plan] = await Promise.all([
      store.byMonth(team_id, { from: first, to: last, project_id }),
      store.closedAt(first),
      store.meteredAt(),
      planInForce(team_id),
    ]);
    const amounts = Map.groupBy(totals, (row) => row.month);
    const months = month === undefined ? [last, ...[...amounts.keys()].filter((each) => each !== last)] : [last];
    const [days, projects] = await Promise.all([
      store.byDay(team_id, { from: last, to: last, project_id }),
      store.byProject(team_id, { from: last, to: last, project_id }),
    ]);
    const usage = months.slice(0, usageLimits.months).map((each): UsageOfMonth => {
      const of = amounts.get(each) ?? [];
      const isShown = each === last;
      return {
        ...toUsageOfMonth(each, of, at),
        // A project has no plan, and the plan of an earlier month is on its invoice.
        base_plan_cost: project_id === undefined && each === toMonth(dayOf(at)) ? (plan ? plans[plan].price_cents : 0) / 100 : null,
        closed_at: closed.get(each) ?? null,
        by_project: isShown ? byProject(each, of, projects) : null,
        by_day: isShown ? byDay(each, days, at) : null,
      };
    });
    return { usage, metered_at };
  };

/** Throws input_invalid for months that are not reported. */
function resolveMonths(at: Date, month: string | undefined): Months {
  const current = toMonth(dayOf(at));
  const oldest = toMonth(current, 1 - usageLimits.months);
  if (month === undefined) return { first: oldest, last: current };
  const asked = `${month}-01`;
  if (asked < oldest || asked > current)
    throw new ApiError('input_invalid', {
      errors: [{ path: 'month', message: `From ${oldest.slice(0, 7)} to ${current.slice(0, 7)}: the last ${usageLimits.months} months` }],
    });
  return { first: asked, last: asked };
}

interface ReportedAmount extends Amount {
  of_month: string;
}

function toUsageOfMonth(month: string, amounts: readonly ReportedAmount[], at: Date) {
  const used = sumAmounts(amounts);
  const own = sumAmounts(amounts.filter(({ of_month }) => of_month === month));
  const [elapsed, whole] = [hoursSince(month, at), lengthOf(month)];
  const late = [
    ...Map.groupBy(
      amounts.filter(({ of_month }) => of_month !== month),
      ({ of_month }) => of_month,
    ),
  ];
  // After the days, so that days and corrections add up to the month.
  const [, ...corrections] = pricedParts(month, [own, ...late.map(([, of]) => sumAmounts(of))]);
  const cents = computeCents(month, used);
  return {
    month: month.slice(0, 7),
    ...unitsIn(month, used),
    core_hours: coreHours(amounts),
    compute_cost: cents.compute / 100,
    bandwidth_cost: cents.bandwidth / 100,
    database_storage_cost: cents.storage / 100,
    cost: totalCents(month, used) / 100,
    projected:
      elapsed >= 24 && elapsed < whole ? priced(month, addUsage(forecast(own, { elapsed, whole }), subtractUsage(used, own))) : null,
    corrections: late.map(([of_month], index) => ({ of_month: of_month.slice(0, 7), ...corrections[index]! })),
  };
}

const priced = (month: string, used: ReturnType<typeof sumAmounts>) => pricedParts(month, [used])[0]!;

const coreHours = (amounts: readonly Amount[]) =>
  Math.round(amounts.reduce((ms, { kind, amount }) => (kind === 'core_ms' ? ms + Number(amount) : ms), 0) / 3.6) / 1e6;

function byDay(month: string, rows: readonly (Amount & { day: string })[], at: Date) {
  const of = Map.groupBy(rows, ({ day }) => day);
  const length = Math.ceil(hoursSince(month, at) / 24);
  const days = Array.from({ length }, (_, n) => dayOf(new Date(Date.parse(`${month}T00:00:00Z`) + n * dayMs)));
  const parts = pricedParts(
    month,
    days.map((day) => sumAmounts(of.get(day) ?? [])),
  );
  return days.map((day, n) => ({ day, ...parts[n]! }));
}

type OfProjects = Awaited<ReturnType<UsageStore['byProject']>>;

function byProject(month: string, all: readonly Amount[], rows: OfProjects) {
  const shown = [...Map.groupBy(rows, ({ project_id }) => project_id).values()];
  const used = shown.map(sumAmounts);
  const others = subtractUsage(sumAmounts(all), sumAmounts(rows));
  const parts = pricedParts(month, [...used, others]);
  const told = shown.map(([first], n) => {
    const { project_id, project_name, is_deleted } = first!;
    return { project_id, project_name, is_deleted, ...parts[n]! };
  });
  const hasOthers = shown.length === usageLimits.projects && !isZero(others);
  return hasOthers ? [...told, { project_id: null, project_name: 'Other projects', is_deleted: false, ...parts.at(-1)! }] : told;
}
