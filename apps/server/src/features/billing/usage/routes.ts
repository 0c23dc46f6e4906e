import { usage } from '@paddock/contract';
import { type Handlers, serve } from '../../../http/serve.ts';
import type { BudgetStore } from './budget-store.ts';
import { listBudgets } from './budgets.ts';
import { type UsageReportDeps, usageReport } from './usage-report.ts';

interface Deps extends Pick<UsageReportDeps, 'store' | 'planInForce'> {
  budgets: BudgetStore;
}

export function usageHandlers({ budgets, ...reported }: Deps, now = () => new Date()): Handlers<typeof usage> {
  const list = usageReport({ ...reported, now });
  return {
    list: async (input, { actor }) => ({ ...(await list(actor.team_id, input)), next_cursor: null }),
    budgets: async (_input, { actor }) => ({ budgets: await listBudgets(budgets, actor.team_id, now()) }),
    async setBudget({ project_id, amount }, { actor }) {
      await budgets.set(actor.team_id, project_id ?? '', amount === null ? null : Math.round(amount * 100));
      return { budgets: await listBudgets(budgets, actor.team_id, now()) };
    },
  };
}

export const usageRoutes = (deps: Deps) => serve(usage, usageHandlers(deps));
