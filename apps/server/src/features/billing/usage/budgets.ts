import type { Budget } from '@paddock/contract';
import { dollarText } from '@paddock/contract/figures';
import { usageLimits } from '@paddock/contract/limits';
import type { Tx } from '../../../db/connect.ts';
import { createIsolatedLoop } from '../../../jobs/isolated-loop.ts';
import { pagesOf } from '../../../jobs/pages.ts';
import type { Log } from '../../../log.ts';
import type { BudgetAlertStore } from './budget-alert-store.ts';
import type { BudgetRow, BudgetStore } from './budget-store.ts';
import { dayOf, toMonth } from './months.ts';
import { sumAmounts, totalCents } from './pricing.ts';

interface Cause {
  rule: string;
  environment?: 'production';
  project_id?: string;
}
interface NewAlert extends Cause {
  severity: 'warning' | 'critical';
  title: string;
  message: string;
  lasting: true;
}
export interface AlertsOfBudgets {
  raiseWithin(tx: Tx, team_id: string, alert: NewAlert): Promise<void>;
  clear(team_id: string, cause: Cause): Promise<void>;
}
export interface BudgetParts {
  store: BudgetStore;
  warnings: BudgetAlertStore;
  alerts: AlertsOfBudgets;
  log: Log;
}
type Spent = readonly Awaited<ReturnType<BudgetStore['spent']>>[number][];

/** Teams whose budgets are read together. */
const teamsAtOnce = 200;
const shares = [...usageLimits.warnAt].sort((a, b) => b - a);

/** The budgets of a team, with what is spent. */
export async function listBudgets(store: Pick<BudgetStore, 'list' | 'spent'>, team_id: string, at: Date): Promise<Budget[]> {
  const month = toMonth(dayOf(at));
  const [rows, spent] = await Promise.all([store.list(team_id), store.spent(month, [team_id])]);
  return rows.map((row) => ({
    project_id: row.project_id || null,
    project_name: row.project_name,
    amount: row.amount_cents / 100,
    spent: spentCents(row, { month, spent }) / 100,
  }));
}

/**
 * Raises an alert when 50, 80 and 100 % of a budget are spent: each once a month, and only the highest that is reached. The month's end clears it.
 */
export function budgetAlertJob({ store, warnings, alerts, log }: BudgetParts) {
  const eachWarning = createIsolatedLoop(log, 'closing the alert of a budget');
  const eachBudget = createIsolatedLoop(log, 'evaluating a budget');
  const clear = ({ team_id, project_id }: Pick<BudgetRow, 'team_id' | 'project_id'>, percent: number) =>
    alerts.clear(team_id, alertCause(project_id, percent));

  return async (at = new Date()): Promise<void> => {
    const month = toMonth(dayOf(at));
    await eachWarning(
      await warnings.over(month),
      ({ team_id, project_id, percent }) => `${team_id} ${project_id} ${percent}`,
      async (warning) => {
        await clear(warning, warning.percent);
        await warnings.forget(warning);
      },
    );
    await store.sweep();
    for await (const teams of pagesOf(store.teamsAfter, teamsAtOnce)) await judge(teams, month);
  };

  async function judge(teams: readonly string[], month: string): Promise<void> {
    const spent = Map.groupBy(await store.spent(month, teams), ({ team_id }) => team_id);
    await eachBudget(
      await store.of(teams),
      ({ team_id, project_id }) => `${team_id} ${project_id}`,
      async (budget) => {
        const cents = spentCents(budget, { month, spent: spent.get(budget.team_id) ?? [] });
        const reached = shares.filter((percent) => cents * 100 >= budget.amount_cents * percent);
        const highest = reached[0];
        if (highest === undefined) return;
        const isNew = await store.begin(async (tx) => {
          const told = await warnings.warn(tx, budget, { month, percents: reached });
          if (told.includes(highest)) await alerts.raiseWithin(tx, budget.team_id, buildBudgetAlert(budget, highest, cents / 100));
          return told.includes(highest);
        });
        // The highest alert replaces the lower ones.
        if (isNew) for (const percent of shares.filter((each) => each < highest)) await clear(budget, percent);
      },
    );
  }
}

/** Alerts of projects are identified by their environment, which usage does not have. */
const alertCause = (project_id: string, percent: number): Cause => ({
  rule: `budget_${percent}`,
  ...(project_id === '' ? {} : { project_id, environment: 'production' }),
});

function buildBudgetAlert({ project_id, project_name, amount_cents }: BudgetRow, percent: number, cost: number): NewAlert {
  const whose = project_id === '' ? 'the team' : (project_name ?? project_id);
  return {
    ...alertCause(project_id, percent),
    severity: percent >= 100 ? 'critical' : 'warning',
    title: percent >= 100 ? `The budget of ${whose} is spent` : `${percent} % of the budget of ${whose} are spent`,
    message: `The usage of ${whose} costs ${dollarText(cost)} this month (UTC); its budget is ${dollarText(amount_cents / 100)}. Nothing is stopped. See Billing for the breakdown. The alert resolves when the month ends or the budget is changed.`,
    lasting: true,
  };
}

function spentCents({ team_id, project_id }: Pick<BudgetRow, 'team_id' | 'project_id'>, { month, spent }: { month: string; spent: Spent }) {
  const own = spent.filter((row) => row.team_id === team_id && (project_id === '' || row.project_id === project_id));
  return totalCents(month, sumAmounts(own));
}
