import type { Core, Feature } from '../../core.ts';
import { policyRetention, type TeamsKeptAtMost } from '../../jobs/policy-retention.ts';
import type { SubjectPlace } from '../../subjects/subject-store.ts';
import { modelUsageStore } from './model-usage-store.ts';
import { type PriceStore, priceStore } from './price-store.ts';
import { traceRoutes } from './routes.ts';
import { type TraceStore, traceStore } from './store.ts';
import { spansOfSubject } from './subject-store.ts';
import { removeOldTraces, traceSweepStore } from './sweep-store.ts';

interface Exports {
  /** By project. */
  costsToday: () => Promise<Map<string, number>>;
  costOfToday: PriceStore['costOfToday'];
  costsByHour: PriceStore['costsByHour'];
  /** Dollars of a team's models in the month of this first day, by project, as far as prices are known. */
  costsOfMonth: (team_id: string, month: string) => Promise<Map<string, number>>;
  spansOf: TraceStore['lineage'];
  removeOf: (deployment_ids: readonly string[]) => Promise<boolean>;
  /** Place where spans contain personal data. */
  place: SubjectPlace;
}

interface Deps {
  keptAtMost: TeamsKeptAtMost;
}

/** Traces of requests, model calls of agents, and the cost of their tokens. */
export function traceFeature({ sql, log }: Pick<Core, 'sql' | 'log'>, { keptAtMost }: Deps): Feature<Exports> {
  const prices = priceStore(sql);
  const store = traceStore(sql);
  const usage = modelUsageStore(sql);
  const sweeping = traceSweepStore(sql);
  return {
    routes: [traceRoutes({ store, prices, usage })],
    jobs: [
      { name: 'trace.sweep', everySeconds: 600, run: (signal) => sweeping.sweep(signal) },
      { name: 'trace.retain-by-policy', everySeconds: 3600, run: policyRetention({ sql, log, keptAtMost, remove: removeOldTraces }) },
    ],
    exports: {
      costsToday: prices.costsToday,
      costOfToday: prices.costOfToday,
      costsByHour: prices.costsByHour,
      async costsOfMonth(team_id, month) {
        const [priceOf, rows] = await Promise.all([prices.priceOf(team_id), usage.month(team_id, month)]);
        const costs = new Map<string, number>();
        for (const { project_id, model, ...sums } of rows)
          costs.set(project_id, (costs.get(project_id) ?? 0) + (priceOf(model, sums) ?? 0));
        return costs;
      },
      spansOf: store.lineage,
      removeOf: sweeping.removeDeployments,
      place: spansOfSubject(sql),
    },
  };
}
