import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { useAction } from '../../../api/use-action.ts';

const pageSize = 20;

/** Unresolved alerts, newest first, a page at a time; `open` of the first page counts all of them except snoozed ones. */
export const openAlertsQuery = infiniteQueryOptions({
  queryKey: ['alerts', 'open'],
  queryFn: ({ pageParam, signal }) =>
    api.alerts.list({ resolved: 'false', limit: pageSize, ...(pageParam ? { cursor: pageParam } : {}) }, { signal }),
  initialPageParam: '',
  getNextPageParam: ({ next_cursor }) => next_cursor,
});

export function useResolveAlert() {
  const client = useQueryClient();
  return useAction({
    mutationFn: (id: string, intention) => api.alerts.resolve({ id }, intention),
    onSettled: () => client.invalidateQueries({ queryKey: ['alerts'] }),
  });
}

/** 0 minutes end the snooze. */
export function useSnoozeAlert() {
  const client = useQueryClient();
  return useAction({
    mutationFn: (given: { id: string; minutes: number }, intention) => api.alerts.snooze(given, intention),
    onSettled: () => client.invalidateQueries({ queryKey: ['alerts'] }),
  });
}
