import type { Environment } from '@paddock/contract';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';

export const variablesQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['variables', project_id],
    queryFn: ({ signal }) => api.variables.list({ project_id }, { signal }).then(({ variables }) => variables),
  });

export interface NewVariable {
  key: string;
  value: string;
  available_at_build: boolean;
}

/** Maximum number of variables in one call. */
const batch = 100;

export function useSetVariables(project_id: string, environment: Environment) {
  const client = useQueryClient();
  return useAction({
    mutationFn: async (variables: readonly NewVariable[]) => {
      for (let at = 0; at < variables.length; at += batch)
        await api.variables.set({ project_id, environment, variables: variables.slice(at, at + batch) });
    },
    // Refetch after a failure, too: some batches may have been stored.
    onSettled: () => client.invalidateQueries(variablesQuery(project_id)),
  });
}

export function useRemoveVariable(project_id: string, environment: Environment) {
  const client = useQueryClient();
  return useAction({
    mutationFn: (key: string) => api.variables.remove({ project_id, environment, key }),
    onSuccess: () => client.invalidateQueries(variablesQuery(project_id)),
  });
}
