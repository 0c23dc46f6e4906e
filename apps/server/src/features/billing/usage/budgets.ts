import type { Budget, BudgetKind } from '@paddock/contract';
import { dollarText } from '@paddock/contract/figures';
import { usageLimits } from '@paddock/contract/limits';
import type { Tx } from '../../../db/connect.ts';
import { createIsolatedLoop } from '../../../jobs/isolated-loop.ts';
import { pagesOf } from '../../../jobs/pages.ts';
import type { Log } from '../../../log.ts';
import type { BudgetAlertStore } from './budget-alert-store.ts';
import type { BudgetSource } from './budget-sources.ts';
import type { BudgetRow } from './budget-store.ts';
import { dayOf, toMonth } from './months.ts';

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
  source: BudgetSource;
  warnings: BudgetAlertStore;
  alerts: AlertsOfBudgets;
  log: Log;
}

/** Teams whose budgets are read together. */
const teamsAtOnce = 200;
const shares = [...usageLimits.warnAt].sort((a, b) => b - a);

/** The budgets of a team, with what is spent. */
export async function listBudgets({ kind, store, readSpent }: BudgetSource, team_id: string, at: Date): Promise<Budget[]> {
  const rows = await store.list(team_id);
  if (rows.length === 0) return [];
  const spentCents = await readSpent(toMonth(dayOf(at)), [team_id]);
  return rows.map((row) => ({
    kind,
    project_id: row.project_id || null,
    project_name: row.project_name,
    amount: row.amount_cents / 100,
    spent: spentCents(row) / 100,
  }));
}

/**
 * Raises an alert when 50, 80 and 100 % of a budget are spent: each once a month, and only the highest that is reached. The month's end clears it.
 */
export function budgetAlertJob({ source: { kind, store, readSpent }, warnings, alerts, log }: BudgetParts) {
  const eachWarning = createIsolatedLoop(log, 'closing the alert of a budget');
  const eachBudget = createIsolatedLoop(log, 'evaluating a budget');
  const clear = ({ team_id, project_id }: Pick<BudgetRow, 'team_id' | 'project_id'>, percent: number) =>
    alerts.clear(team_id, alertCause(kind, project_id, percent));

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
    const spentCents = await readSpent(month, teams);
    await eachBudget(
      await store.of(teams),
      ({ team_id, project_id }) => `${team_id} ${project_id}`,
      async (budget) => {
        const cents = spentCents(budget);
        const reached = shares.filter((percent) => cents * 100 >= budget.amount_cents * percent);
        const highest = reached[0];
        if (highest === undefined) return;
        const isNew = await store.begin(async (tx) => {
          const told = await warnings.warn(tx, budget, { month, percents: reached });
          if (told.includes(highest))
            await alerts.raiseWithin(tx, budget.team_id, buildBudgetAlert(budget, { kind, percent: highest, cost: cents / 100 }));
          return told.includes(highest);
        });
        // The highest alert replaces the lower ones.
        if (isNew) for (const percent of shares.filter((each) => each < highest)) await clear(budget, percent);
      },
    );
  }
}

const rules = { usage: 'budget', models: 'model_budget' } as const satisfies Record<BudgetKind, string>;

/** Alerts of projects are identified by their environment, which usage does not have. */
const alertCause = (kind: BudgetKind, project_id: string, percent: number): Cause => ({
  rule: `${rules[kind]}_${percent}`,
  ...(project_id === '' ? {} : { project_id, environment: 'production' }),
});

interface Reached {
  kind: BudgetKind;
  percent: number;
  cost: number;
}

function buildBudgetAlert({ project_id, project_name, amount_cents }: BudgetRow, { kind, percent, cost }: Reached): NewAlert {
  const whose = project_id === '' ? 'the team' : (project_name ?? project_id);
  const [name, spent] =
    kind === 'usage'
      ? ['budget', `The usage of ${whose} costs ${dollarText(cost)} this month (UTC)`]
      : ['model budget', `Model calls of ${whose} cost ${dollarText(cost)} this month (UTC), paid to their providers`];
  return {
    ...alertCause(kind, project_id, percent),
    severity: percent >= 100 ? 'critical' : 'warning',
    title: percent >= 100 ? `The ${name} of ${whose} is spent` : `${percent} % of the ${name} of ${whose} are spent`,
    message: `${spent}; its budget is ${dollarText(amount_cents / 100)}. Nothing is stopped. See Billing for the breakdown. The alert resolves when the month ends or the budget is changed.`,
    lasting: true,
  };
}
