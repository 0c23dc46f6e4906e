import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';

/** The server meters once a minute. */
const refreshMs = 60_000;

/** All months, and one of them in full: the newest, or the one that is asked for. */
export const usageQuery = (month: string | undefined) =>
  queryOptions({
    queryKey: ['usage', month],
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const [all, one] = await Promise.all([
        api.usage.list({}, { signal }),
        month === undefined ? undefined : api.usage.list({ month }, { signal }),
      ]);
      return { ...all, shown: one?.usage[0] ?? all.usage[0] };
    },
  });

export const budgetsQuery = queryOptions({
  queryKey: ['usage', 'budgets'],
  refetchInterval: refreshMs,
  queryFn: ({ signal }) => api.usage.budgets({}, { signal }).then(({ budgets }) => budgets),
});

/** Null removes the budget. */
export function useSetBudget() {
  const client = useQueryClient();
  return useAction({
    mutationFn: (budget: { project_id: string | null; amount: number | null }) => api.usage.setBudget(budget),
    onSuccess: ({ budgets }) => client.setQueryData(budgetsQuery.queryKey, budgets),
  });
}
