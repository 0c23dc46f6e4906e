import type { Environment } from '@paddock/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { filled } from '../../../api/filled.ts';
import { tracesKey } from '../queries.ts';

/** Sums of whole days change slowly; a short interval would read them again for nothing. */
const refreshMs = 60_000;

export interface UsageOf {
  /** UTC days as '2026-11-30', both included. */
  date_from: string;
  date_to: string;
  project_id?: string | undefined;
  environment?: Environment | undefined;
}

/** Tokens and cost of model calls by day, agent and model. Without `isRenewed` they are refetched only on request. */
export const modelUsageQuery = (of: UsageOf, { isRenewed = true } = {}) =>
  queryOptions({
    queryKey: [...tracesKey, 'usage', of],
    ...(isRenewed ? { refetchInterval: refreshMs } : { staleTime: 'static' as const }),
    queryFn: ({ signal }) => api.traces.usage(filled({ ...of }), { signal }),
  });
