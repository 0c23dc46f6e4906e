import type { AgentSummary, MetricsRange } from '@paddock/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/api.ts';

const pageSize = 500;
const maxPages = 10;
/** Refetch interval of visible figures (spec). Polling pauses in a hidden window. */
const refreshMs = 30_000;

/** All active agents; 5,000 at most. */
export const activeAgentsQuery = queryOptions({
  queryKey: ['metrics', 'agents', 'all'],
  refetchInterval: refreshMs,
  queryFn: async ({ signal }): Promise<AgentSummary[]> => {
    const all: AgentSummary[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page += 1) {
      const { agents, next_cursor } = await api.metrics.agents({ limit: pageSize, ...(cursor ? { cursor } : {}) }, { signal });
      all.push(...agents);
      if (next_cursor === null) break;
      cursor = next_cursor;
    }
    return all;
  },
});

/** The first active agents, for a short list. */
export const firstAgentsQuery = (limit: number) =>
  queryOptions({
    queryKey: ['metrics', 'agents', limit],
    refetchInterval: refreshMs,
    queryFn: ({ signal }) => api.metrics.agents({ limit }, { signal }),
  });

/** Metrics of an agent. Without `isRenewed`, figures are refetched only on request, whatever changes meanwhile. */
export const agentMetricsQuery = (id: string, time_range: MetricsRange, { isRenewed }: { isRenewed: boolean }) =>
  queryOptions({
    queryKey: ['metrics', 'agent', id, time_range],
    ...(isRenewed ? { refetchInterval: refreshMs } : { staleTime: 'static' as const }),
    queryFn: ({ signal }) => api.metrics.agent({ id, time_range }, { signal }),
  });

/** All agents of the team together, over a day. */
export const systemMetricsQuery = queryOptions({
  queryKey: ['metrics', 'system'],
  refetchInterval: refreshMs,
  queryFn: ({ signal }) => api.metrics.system({ time_range: '24h' }, { signal }),
});
