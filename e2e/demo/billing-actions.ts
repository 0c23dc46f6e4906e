import type { Action } from './actions.ts';
import { json } from './scripted.ts';

const budgets = { budgets: [{ project_id: null, project_name: null, amount: 25, spent: 10 }] };
const none = { compute_hours: 0, bandwidth_gb: 0, database_storage_gb: 0, cost: 0 };
/** A month in which nothing happened. */
export const emptyUsage = {
  usage: [
    {
      month: '2026-11',
      ...none,
      ...{ core_hours: 0, compute_cost: 0, bandwidth_cost: 0, database_storage_cost: 0 },
      ...{ projected: null, corrections: [], closed_at: null, by_project: [], by_day: [] },
    },
  ],
  metered_at: null,
  next_cursor: null,
};

/** What is done with budgets by a press. */
export const billingActions: Record<string, Action> = {
  'save budget': {
    path: '/billing?tab=usage',
    async ready(page) {
      await page.getByLabel('Dollars a month').fill('30');
      return page.getByRole('button', { name: 'Save budget' });
    },
    answer: budgets,
  },
  'remove budget': {
    path: '/billing?tab=usage',
    ready: async (page) => page.getByRole('button', { name: 'Remove the budget: The whole team' }),
    answer: budgets,
  },
};

export const billingLists = { 'GET /billing/usage': json(emptyUsage), 'GET /billing/budgets': json(budgets) };
