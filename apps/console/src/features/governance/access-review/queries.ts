import { accessReviewLimits } from '@paddock/contract/limits';
import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { useAction } from '../../../api/use-action.ts';
import { governanceKey } from '../queries.ts';

const reviewsKey = [...governanceKey, 'access-reviews'] as const;

export const reviewsQuery = queryOptions({
  queryKey: [...reviewsKey, 'list'],
  queryFn: ({ signal }) => api.accessReviews.list({}, { signal }),
});

export const reviewQuery = (id: string) =>
  queryOptions({
    queryKey: [...reviewsKey, id],
    queryFn: ({ signal }) => api.accessReviews.get({ id }, { signal }),
  });

export type ItemState = 'all' | 'undecided';

/** The entries of a review, a page at a time. */
export const itemsQuery = (id: string, state: ItemState) =>
  infiniteQueryOptions({
    queryKey: [...reviewsKey, id, state],
    queryFn: ({ pageParam, signal }) => api.accessReviews.items({ id, state, ...(pageParam ? { cursor: pageParam } : {}) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });

function useRefreshReviews() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: reviewsKey });
}

/** Starts a review; returns the open one if somebody else has started one meanwhile. */
export function useStartReview() {
  const onSuccess = useRefreshReviews();
  return useAction({ mutationFn: (_: void, intention) => api.accessReviews.start({}, intention), onSuccess });
}

interface Decision {
  id: string;
  decision: 'keep' | 'revoke';
  items: string[];
}

/** Decides entries, in as many calls as necessary. Returns the refused entries. */
export function useDecide() {
  const onSettled = useRefreshReviews();
  return useAction({
    async mutationFn({ id, decision, items }: Decision) {
      const refused = [];
      for (let from = 0; from < items.length; from += accessReviewLimits.decisions)
        refused.push(
          ...(await api.accessReviews.decide({ id, decision, items: items.slice(from, from + accessReviewLimits.decisions) })).refused,
        );
      return refused;
    },
    onSettled,
  });
}

export function useCompleteReview() {
  const onSettled = useRefreshReviews();
  // Refetch after success and failure: new entries may be in the list.
  return useAction({ mutationFn: (id: string) => api.accessReviews.complete({ id }), onSettled });
}
