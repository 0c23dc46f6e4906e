import type { Core, Feature } from '../../../core.ts';
import { type AlertsOfRules, createEvaluator, type EvaluateParts } from './evaluate.ts';
import { alertRuleRoutes } from './routes.ts';
import { alertRuleStore } from './store.ts';

/** Rules over the measurements of agents, and the resulting alerts. */
export function alertRuleFeature(
  { sql, log }: Pick<Core, 'sql' | 'log'>,
  { watch, modelCosts, alerts }: Pick<EvaluateParts, 'watch' | 'modelCosts'> & { alerts: AlertsOfRules },
): Feature<undefined> {
  const store = alertRuleStore(sql);
  return {
    routes: [alertRuleRoutes(store)],
    jobs: [{ name: 'alert-rule.evaluate', everySeconds: 60, run: createEvaluator({ store, watch, modelCosts, alerts, log }) }],
    exports: undefined,
  };
}
