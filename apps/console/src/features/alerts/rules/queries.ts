import type { AlertRule, AlertRuleName } from '@paddock/contract';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { useAction } from '../../../api/use-action.ts';

/** The rules of a project, in display order. */
export const alertRulesQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['alert-rules', project_id],
    queryFn: ({ signal }) => api.alertRules.list({ id: project_id }, { signal }).then(({ alert_rules }) => alert_rules),
  });

/** Changes the given fields and leaves the rest of the rule. */
export function useChangeRule(project_id: string, rule: AlertRuleName) {
  const client = useQueryClient();
  const { queryKey } = alertRulesQuery(project_id);
  return useAction({
    mutationFn: (change: Partial<Pick<AlertRule, 'is_on' | 'threshold'>>) => api.alertRules.update({ id: project_id, rule, ...change }),
    onSuccess: (changed) => {
      client.setQueryData(queryKey, (all) => all?.map((each) => (each.rule === rule ? changed : each)));
      return client.invalidateQueries({ queryKey });
    },
  });
}

export function useResetRule(project_id: string, rule: AlertRuleName) {
  const client = useQueryClient();
  return useAction({
    mutationFn: () => api.alertRules.reset({ id: project_id, rule }),
    onSuccess: () => client.invalidateQueries({ queryKey: alertRulesQuery(project_id).queryKey }),
  });
}
