import type { Offered, Parts } from '../../parts.ts';
import { budgetStore } from './budget-store.ts';
import { type AlertsOfBudgets, watchBudgets } from './budgets.ts';
import { type ClosedStore, closedStore } from './closed-store.ts';
import { metering } from './meter.ts';
import { meterStore } from './meter-store.ts';
import { usageRoutes } from './routes.ts';
import { type SpanStore, spanStore } from './span-store.ts';
import { usageReadStore } from './store.ts';
import { warningStore } from './warning-store.ts';

/** What ran, what was sent and what is stored: metered, priced, and held against budgets. */
export function usageFeature(
  { sql, log }: Pick<Parts, 'sql' | 'log'>,
  { alerts }: { alerts: AlertsOfBudgets },
): Offered<{ spans: SpanStore; closed: ClosedStore }> {
  const spans = spanStore(sql);
  const meter = metering(meterStore(sql));
  const budgets = budgetStore(sql);
  const watch = watchBudgets({ store: budgets, warnings: warningStore(sql), alerts, log });
  return {
    routes: [usageRoutes({ store: usageReadStore(sql), budgets })],
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
      { name: 'usage.sweep', everySeconds: 86_400, run: () => spans.sweep() },
    ],
    gives: { spans, closed: closedStore(sql) },
  };
}
