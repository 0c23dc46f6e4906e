import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { useAction } from '../../../api/use-action.ts';

/** Deliveries cause no change notification, so the queries poll. */
const listRefreshMs = 30_000;
const waitingRefreshMs = 5_000;

/** Prefix of every query key of channels. */
export const channelsKey = ['channels'] as const;

/** All channels of the team, oldest first. */
export const channelsQuery = queryOptions({
  queryKey: [...channelsKey, 'list'],
  queryFn: ({ signal }) => api.channels.list({}, { signal }).then(({ channels }) => channels),
  refetchInterval: listRefreshMs,
});

/** Deliveries to a channel, newest first, a page at a time. */
export const deliveriesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...channelsKey, 'deliveries', id],
    queryFn: ({ pageParam, signal }) => api.channels.deliveries({ id, ...(pageParam ? { cursor: pageParam } : {}) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    // A refetch reads all loaded pages, so several pages are refetched only by hand.
    refetchInterval: ({ state: { data } }) => {
      const [first, second] = data?.pages ?? [];
      return !second && first?.deliveries.some(({ status }) => status === 'pending') ? waitingRefreshMs : false;
    },
  });

function useRefreshChannels() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: channelsKey });
}

export function useTestChannel() {
  const refresh = useRefreshChannels();
  return useAction({
    mutationFn: (id: string, intention) => api.channels.test({ id }, intention),
    // The outcome is shown at once; the list may follow.
    onSettled: () => void refresh(),
  });
}

export function useSwitchChannel() {
  const refresh = useRefreshChannels();
  return useAction({
    mutationFn: (given: { id: string; is_active: boolean }) => api.channels.update(given),
    onSuccess: refresh,
  });
}

export function useDeleteChannel() {
  const refresh = useRefreshChannels();
  return useAction({ mutationFn: (id: string) => api.channels.delete({ id }), onSuccess: refresh });
}

export function useRetryDelivery(id: string) {
  const refresh = useRefreshChannels();
  return useAction({
    mutationFn: (delivery_id: string, intention) => api.channels.retry({ id, delivery_id }, intention),
    onSettled: refresh,
  });
}
