import type { PlanId } from '@paddock/contract/plans';
import type { Core, Feature } from '../../../core.ts';
import type { Sql } from '../../../db/connect.ts';
import { budgetAlertStore } from './budget-alert-store.ts';
import { budgetStore } from './budget-store.ts';
import { type AlertsOfBudgets, budgetAlertJob } from './budgets.ts';
import { type ClosedStore, closedStore } from './closed-month-store.ts';
import { createMeter } from './meter.ts';
import { meterStore } from './meter-store.ts';
import { usageRoutes } from './routes.ts';
import { runSpanStore, type SpanStore } from './run-span-store.ts';
import { usageReadStore } from './store.ts';

/** Metering of runs, traffic and storage, their prices, and budgets. */
export function usageFeature(
  { sql, log }: Pick<Core, 'sql' | 'log'>,
  { alerts, planInForce }: { alerts: AlertsOfBudgets; planInForce: (sql: Sql, team_id: string) => Promise<PlanId | null> },
): Feature<{ spans: SpanStore; closed: ClosedStore }> {
  const spans = runSpanStore(sql);
  const meter = createMeter(meterStore(sql));
  const budgets = budgetStore(sql);
  const watch = budgetAlertJob({ store: budgets, warnings: budgetAlertStore(sql), alerts, log });
  return {
    routes: [usageRoutes({ store: usageReadStore(sql), budgets, planInForce: (team_id) => planInForce(sql, team_id) })],
    jobs: [
      {
        name: 'usage.meter',
        everySeconds: 60,
        async run() {
          await meter.refresh();
          await watch();
        },
      },
      { name: 'usage.rebuild', everySeconds: 3600, run: () => meter.rebuild() },
      { name: 'usage.correct', everySeconds: 86_400, run: () => meter.addCorrections() },
      { name: 'usage.sweep', everySeconds: 86_400, run: () => spans.sweep() },
    ],
    exports: { spans, closed: closedStore(sql) },
  };
}
