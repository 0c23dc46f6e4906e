import type { AuditFilter, AuditLog } from '@paddock/contract';
import { type InfiniteData, infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/api.ts';

/** Prefix of every query key of governance. */
export const governanceKey = ['governance'] as const;

export const summaryQuery = queryOptions({
  queryKey: [...governanceKey, 'summary'],
  queryFn: ({ signal }) => api.governance.summary({}, { signal }),
});

const pageRows = 50;
/** Maximum number of calls for one page: with a search text, a response may have fewer rows than requested although there are more. */
const callsPerPage = 4;

/** The records that match, page by page, newest first. */
export const auditLogsQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: [...governanceKey, 'logs', filter],
    queryFn: async ({ pageParam, signal }) => {
      const logs: AuditLog[] = [];
      let cursor = pageParam;
      let match_count: number | null = null;
      for (let calls = 0; calls < callsPerPage; calls += 1) {
        const limit = pageRows - logs.length;
        const page = await api.governance.auditLogs({ ...filter, limit, ...(cursor === null ? {} : { cursor }) }, { signal });
        logs.push(...page.logs);
        if (calls === 0) match_count = page.match_count;
        cursor = page.next_cursor;
        if (cursor === null || logs.length >= pageRows) break;
      }
      return { logs, next_cursor: cursor, match_count };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    // Every change of the team refetches lists. For several pages that would be expensive, and rows would move under the reader.
    staleTime: ({ state: { data } }) => ((data?.pages.length ?? 0) > 1 ? ('static' as const) : 5000),
  });

/** Refetches everything shown. For a long list only the first page: new records are at its top, and the rest would take many calls. */
export function refresh(client: QueryClient) {
  client.setQueriesData<InfiniteData<unknown>>({ queryKey: [...governanceKey, 'logs'] }, (data) =>
    data ? { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) } : undefined,
  );
  return client.refetchQueries({ queryKey: governanceKey, type: 'active' });
}

/** Whether the last page ended because the search took too long, and not because nothing is left. */
export const isCutShort = (pages: readonly { logs: readonly unknown[]; next_cursor: string | null }[]) =>
  pages.at(-1)?.next_cursor !== null && (pages.at(-1)?.logs.length ?? 0) < pageRows;

export const auditLogQuery = (id: string) =>
  queryOptions({
    queryKey: [...governanceKey, 'log', id],
    queryFn: ({ signal }) => api.governance.auditLog({ id }, { signal }),
  });

export const piiQuery = (range: Pick<AuditFilter, 'date_from' | 'date_to'>) =>
  queryOptions({
    queryKey: [...governanceKey, 'pii', range],
    queryFn: ({ signal }) => api.governance.piiDetection(range, { signal }),
  });

export const lineageQuery = (trace_id: string) =>
  queryOptions({
    queryKey: [...governanceKey, 'lineage', trace_id],
    queryFn: ({ signal }) => api.governance.lineage({ trace_id }, { signal }),
  });
