import type { BudgetKind } from '@paddock/contract';
import type { Sql } from '../../../db/connect.ts';
import { type BudgetRow, type BudgetStore, budgetStore } from './budget-store.ts';
import { sumAmounts, totalCents } from './pricing.ts';

type Key = Pick<BudgetRow, 'team_id' | 'project_id'>;
/** Budgets of a kind, and what is spent of them. */
export interface BudgetSource {
  kind: BudgetKind;
  store: BudgetStore;
  /** Cents that are spent of each budget of these teams in a month, which is named by its first day. */
  readSpent: (month: string, team_ids: readonly string[]) => Promise<(budget: Key) => number>;
}
/** Dollars that the models of each project cost in a month. */
export type ModelCosts = (team_id: string, month: string) => Promise<Map<string, number>>;

export function usageBudgets(sql: Sql): BudgetSource {
  const store = budgetStore(sql, 'usage');
  return {
    kind: 'usage',
    store,
    async readSpent(month, team_ids) {
      const spent = Map.groupBy(await store.spent(month, team_ids), ({ team_id }) => team_id);
      return ({ team_id, project_id }) => {
        const rows = (spent.get(team_id) ?? []).filter((row) => project_id === '' || row.project_id === project_id);
        return totalCents(month, sumAmounts(rows));
      };
    },
  };
}

export const modelBudgets = (sql: Sql, costs: ModelCosts): BudgetSource => ({
  kind: 'models',
  store: budgetStore(sql, 'models'),
  async readSpent(month, team_ids) {
    const teams = new Map<string, Map<string, number>>();
    for (const team_id of team_ids) teams.set(team_id, await costs(team_id, month));
    return ({ team_id, project_id }) => {
      const projects = teams.get(team_id) ?? new Map<string, number>();
      const usd = project_id === '' ? projects.values().reduce((sum, cost) => sum + cost, 0) : (projects.get(project_id) ?? 0);
      return Math.round(usd * 100);
    };
  },
});

export const budgetSources = (sql: Sql, costs: ModelCosts): Record<BudgetKind, BudgetSource> => ({
  usage: usageBudgets(sql),
  models: modelBudgets(sql, costs),
});
