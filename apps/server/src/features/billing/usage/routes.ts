import { type BudgetKind, usage } from '@paddock/contract';
import { type Handlers, serve } from '../../../http/serve.ts';
import type { BudgetSource } from './budget-sources.ts';
import { listBudgets } from './budgets.ts';
import { type UsageReportDeps, usageReport } from './usage-report.ts';

interface Deps extends Pick<UsageReportDeps, 'store' | 'planInForce'> {
  budgets: Record<BudgetKind, BudgetSource>;
}

export function usageHandlers({ budgets, ...reported }: Deps, now = () => new Date()): Handlers<typeof usage> {
  const list = usageReport({ ...reported, now });
  const listAll = async (team_id: string) => {
    const lists = await Promise.all([budgets.usage, budgets.models].map((source) => listBudgets(source, team_id, now())));
    return { budgets: lists.flat() };
  };
  return {
    list: async (input, { actor }) => ({ ...(await list(actor.team_id, input)), next_cursor: null }),
    budgets: (_input, { actor }) => listAll(actor.team_id),
    async setBudget({ kind, project_id, amount }, { actor }) {
      await budgets[kind].store.set(actor.team_id, project_id ?? '', amount === null ? null : Math.round(amount * 100));
      return listAll(actor.team_id);
    },
  };
}

export const usageRoutes = (deps: Deps) => serve(usage, usageHandlers(deps));
