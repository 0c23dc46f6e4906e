import { ApiError, type UsageOfMonth } from '@paddock/contract';
import { usageLimits } from '@paddock/contract/limits';
import { dayOf, hoursOf, hoursSince, monthOf } from './months.ts';
import { type Amount, costsOf, fineCostOf, pricedOf, projectedOf, quantitiesOf } from './pricing.ts';
import type { UsageStore } from './store.ts';

interface Asking {
  month?: string | undefined;
  project_id?: string | undefined;
}
interface Months {
  first: string;
  last: string;
}

/** What a team used, newest month first. `now` tells the present. */
export const listing =
  (store: UsageStore, now: () => Date) =>
  async (team_id: string, { month, project_id }: Asking): Promise<{ usage: UsageOfMonth[]; metered_at: string | null }> => {
    const at = now();
    const { first, last } = monthsOf(at, month);
    if (project_id !== undefined) await store.checkProject(team_id, project_id);
    const [totals, closed, metered_at] = await Promise.all([
      store.byMonth(team_id, { from: first, to: last, project_id }),
      store.closedAt(first),
      store.meteredAt(),
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
        ...told(each, of, at),
        closed_at: closed.get(each) ?? null,
        by_project: isShown ? byProject(of, projects) : null,
        by_day: isShown ? byDay(each, days, at) : null,
      };
    });
    return { usage, metered_at };
  };

/** Throws input_invalid for months that are not told. */
function monthsOf(at: Date, month: string | undefined): Months {
  const current = monthOf(dayOf(at));
  const oldest = monthOf(current, 1 - usageLimits.months);
  if (month === undefined) return { first: oldest, last: current };
  const asked = `${month}-01`;
  if (asked < oldest || asked > current)
    throw new ApiError('input_invalid', {
      errors: [{ path: 'month', message: `From ${oldest.slice(0, 7)} to ${current.slice(0, 7)}: the last ${usageLimits.months} months` }],
    });
  return { first: asked, last: asked };
}

function told(month: string, amounts: readonly Amount[], at: Date) {
  const quantities = quantitiesOf(amounts);
  const [elapsed, hours] = [hoursSince(month, at), hoursOf(month)];
  const corrected = Map.groupBy(
    amounts.filter(({ of_month }) => of_month !== month),
    ({ of_month }) => of_month,
  );
  return {
    month: month.slice(0, 7),
    ...quantities,
    ...costsOf(quantities),
    projected: elapsed >= 24 && elapsed < hours ? projectedOf(quantities, { elapsed, hours }) : null,
    corrections: [...corrected].map(([of, late]) => ({ of_month: of.slice(0, 7), ...pricedOf(quantitiesOf(late)) })),
  };
}

function byDay(month: string, rows: readonly (Amount & { day: string })[], at: Date) {
  const of = Map.groupBy(rows, ({ day }) => day);
  const length = Math.ceil(hoursSince(month, at) / 24);
  return Array.from({ length }, (_, n) => {
    const day = dayOf(new Date(Date.parse(`${month}T00:00:00Z`) + n * 86_400_000));
    const { core_hours: _core, ...quantities } = quantitiesOf(of.get(day) ?? []);
    return { day, ...quantities, cost: fineCostOf(quantities) };
  });
}

type Told = Awaited<ReturnType<UsageStore['byProject']>>;

function byProject(all: readonly Amount[], rows: Told) {
  const shown = [...Map.groupBy(rows, ({ project_id }) => project_id).values()].map((of) => {
    const { project_id, project_name, is_deleted } = of[0]!;
    return { project_id, project_name, is_deleted, ...pricedOf(quantitiesOf(of)) };
  });
  const others = pricedOf(quantitiesOf([...all, ...rows.map((row) => ({ ...row, amount: -row.amount }))]));
  const hasOthers = shown.length === usageLimits.projects && others.compute_hours + others.bandwidth_gb + others.database_storage_gb > 1e-6;
  const atLeastZero = { ...others, cost: Math.max(0, others.cost) };
  return hasOthers ? [...shown, { project_id: null, project_name: 'Other projects', is_deleted: false, ...atLeastZero }] : shown;
}
