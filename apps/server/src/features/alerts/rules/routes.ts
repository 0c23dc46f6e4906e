import { ApiError, alertRuleCalls, alertRules } from '@paddock/contract';
import { type Handlers, serve } from '../../../http/serve.ts';
import type { AlertRuleStore } from './store.ts';

export const alertRuleHandlers = (store: Pick<AlertRuleStore, 'list' | 'get' | 'change' | 'reset'>): Handlers<typeof alertRuleCalls> => ({
  list: async ({ id }, { actor }) => ({ alert_rules: await store.list(actor.team_id, id) }),

  get: ({ id, rule }, { actor }) => store.get(actor.team_id, id, rule),

  update({ id, ...change }, { actor }) {
    const { least, most } = alertRules[change.rule];
    const { threshold } = change;
    if (threshold !== undefined && !(threshold >= least && threshold <= most))
      throw new ApiError('input_invalid', { errors: [{ path: 'threshold', message: `Between ${least} and ${most}` }] });
    return store.change(actor.team_id, id, change);
  },

  async reset({ id, rule }, { actor }) {
    await store.reset(actor.team_id, id, rule);
    return null;
  },
});

export const alertRuleRoutes = (store: AlertRuleStore) => serve(alertRuleCalls, alertRuleHandlers(store));
