import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/api.ts';

/** The installation's version and problems. */
export const systemQuery = queryOptions({
  queryKey: ['system'],
  queryFn: ({ signal }) => api.system.get({}, { signal }),
  staleTime: 60_000,
  // Poll, so that a banner disappears without a reload after an operator fixed the problem and restarted the server.
  refetchInterval: 120_000,
});
