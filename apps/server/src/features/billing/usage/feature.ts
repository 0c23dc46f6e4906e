import type { PlanId } from '@paddock/contract/plans';
import type { Core, Feature } from '../../../core.ts';
import type { Sql } from '../../../db/connect.ts';
import { budgetAlertStore } from './budget-alert-store.ts';
import { budgetSources, type ModelCosts } from './budget-sources.ts';
import { type AlertsOfBudgets, budgetAlertJob } from './budgets.ts';
import { type ClosedStore, closedStore } from './closed-month-store.ts';
import { createMeter } from './meter.ts';
import { meterStore } from './meter-store.ts';
import { usageRoutes } from './routes.ts';
import { runSpanStore, type SpanStore } from './run-span-store.ts';
import { usageReadStore } from './store.ts';

interface Deps {
  alerts: AlertsOfBudgets;
  planInForce: (sql: Sql, team_id: string) => Promise<PlanId | null>;
  modelCosts: ModelCosts;
}

/** Metering of runs, traffic and storage, their prices, and budgets. */
export function usageFeature(
  { sql, log }: Pick<Core, 'sql' | 'log'>,
  { alerts, planInForce, modelCosts }: Deps,
): Feature<{ spans: SpanStore; closed: ClosedStore }> {
  const spans = runSpanStore(sql);
  const meter = createMeter(meterStore(sql));
  const budgets = budgetSources(sql, modelCosts);
  const watches = [budgets.usage, budgets.models].map((source) =>
    budgetAlertJob({ source, warnings: budgetAlertStore(sql, source.kind), alerts, log }),
  );
  return {
    routes: [usageRoutes({ store: usageReadStore(sql), budgets, planInForce: (team_id) => planInForce(sql, team_id) })],
    jobs: [
      {
        name: 'usage.meter',
        everySeconds: 60,
        async run() {
          await meter.refresh();
          for (const watch of watches) await watch();
        },
      },
      { name: 'usage.rebuild', everySeconds: 3600, run: () => meter.rebuild() },
      { name: 'usage.correct', everySeconds: 86_400, run: () => meter.addCorrections() },
      { name: 'usage.sweep', everySeconds: 86_400, run: () => spans.sweep() },
    ],
    exports: { spans, closed: closedStore(sql) },
  };
}
