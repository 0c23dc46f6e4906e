import type { Provider } from '@paddock/contract';
import { queryOptions, useQueries, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { isDemo, readSession } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import type { Handover } from './handover.ts';
import { leaveFor } from './sign-in.ts';

export const providersQuery = queryOptions({
  queryKey: ['oauth', 'providers'],
  queryFn: ({ signal }) => api.oauth.providers({}, { signal }),
  staleTime: 60_000,
});

export const identitiesQuery = queryOptions({
  queryKey: ['oauth', 'identities'],
  queryFn: ({ signal }) => api.oauth.identities({}, { signal }),
  // The tab awaits this query before it renders the card, which then need not fetch again.
  staleTime: 1_000,
});

/** Whether a query of the linked providers card has neither a response nor a failed attempt yet. */
export const useIsAwaitingProviders = () =>
  useQueries({ queries: [providersQuery, identitiesQuery] }).some(({ isPending, failureCount }) => isPending && failureCount === 0);

/** Starts a sign-in, or a sign-up, which is the same to a provider. */
export const useLeave = () =>
  useAction({
    mutationFn: ({ provider, ...more }: { provider: Provider } & Omit<Handover, 'state' | 'purpose'>) =>
      leaveFor(provider, { ...more, purpose: 'sign-in' }),
  });

/** Starts linking. In the demo the link is made at once, without a provider. */
export function useLink() {
  const queries = useQueryClient();
  return useAction({
    mutationFn: async ({ provider, password }: { provider: Provider; password?: string }) => {
      if (!isDemo(readSession()?.token))
        return leaveFor(provider, { purpose: 'link', remember: false, next: location.pathname + location.search }, password);
      await api.oauth.linkCallback({ provider, code: 'demo', state: 'demo' });
      return queries.invalidateQueries({ queryKey: identitiesQuery.queryKey });
    },
  });
}

export function useUnlink() {
  const queries = useQueryClient();
  return useAction({
    mutationFn: (provider: Provider) => api.oauth.unlink({ provider }),
    onSettled: () => queries.invalidateQueries({ queryKey: identitiesQuery.queryKey }),
  });
}
