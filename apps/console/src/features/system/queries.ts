import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/api.ts';

/** This installation: its version, and what it cannot do. */
export const systemQuery = queryOptions({
  queryKey: ['system'],
  queryFn: ({ signal }) => api.system.get({}, { signal }),
  staleTime: 60_000,
  // An operator who mends the machine restarts the server; the banner goes without a reload.
  refetchInterval: 120_000,
});
