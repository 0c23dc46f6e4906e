import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api.ts';

const pageSize = 20;

/** What is not resolved, newest first, a page at a time; `open` of the first page counts all of it. */
export const openAlertsQuery = infiniteQueryOptions({
  queryKey: ['alerts', 'open'],
  queryFn: ({ pageParam, signal }) =>
    api.alerts.list({ resolved: 'false', limit: pageSize, ...(pageParam ? { cursor: pageParam } : {}) }, { signal }),
  initialPageParam: '',
  getNextPageParam: ({ next_cursor }) => next_cursor,
});

export function useResolveAlert() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.alerts.resolve({ id }),
    onSettled: () => client.invalidateQueries({ queryKey: ['alerts'] }),
  });
}
