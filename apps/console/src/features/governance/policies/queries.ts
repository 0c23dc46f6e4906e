import type { Policy } from '@paddock/contract';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { useAction } from '../../../api/use-action.ts';
import { governanceKey } from '../queries.ts';

export const policiesQuery = queryOptions({
  queryKey: [...governanceKey, 'policies'],
  queryFn: ({ signal }) => api.policies.list({}, { signal }).then(({ policies }) => policies),
});

function useRefreshPolicies() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: policiesQuery.queryKey });
}

export type PolicyValues = Pick<Policy, 'name' | 'description' | 'type' | 'status' | 'rules'>;

/** Creates a policy, or replaces the given one. The etag prevents overwriting somebody else's change. */
export function useSavePolicy(read: Pick<Policy, 'id' | 'etag'> | undefined) {
  const refresh = useRefreshPolicies();
  return useAction({
    mutationFn: (values: PolicyValues, intention) =>
      read === undefined
        ? api.policies.create(values, intention)
        : api.policies.update({ ...values, id: read.id }, { if_match: read.etag }),
    onSettled: refresh,
  });
}

/** Deletes a policy. If somebody else has changed it meanwhile, the new version is shown first. */
export function useDeletePolicy() {
  const refresh = useRefreshPolicies();
  return useAction({
    mutationFn: ({ id, etag }: Pick<Policy, 'id' | 'etag'>) => api.policies.delete({ id }, { if_match: etag }),
    onSettled: refresh,
  });
}

/** Checks what rules would have refused, without changing anything. */
export const useDryRun = () => useAction({ mutationFn: (rules: string[]) => api.policies.dryRun({ rules }) });
