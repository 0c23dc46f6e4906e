import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { filterOf, rangeMs, rangeOf, type TraceView } from './view.ts';

/** Refetch interval while the page is visible, as on the metrics page. */
const refreshMs = 30_000;
/** Spans of a trace that has just ended may still arrive. */
const growsMs = 120_000;
const growingRefreshMs = 10_000;

/** Prefix of every query key of traces. */
export const tracesKey = ['traces'] as const;

interface Page {
  cursor: string | undefined;
  /** The start of the time range, the same for all pages of a list. */
  since: string;
}

/** The matching traces, page by page, newest first. Without `isRenewed` the list is refetched only on request. */
export function tracesQuery(id: string, view: TraceView, { isRenewed }: { isRenewed: boolean }) {
  const filter = filterOf(view);
  const range = rangeOf(view);
  return infiniteQueryOptions({
    queryKey: [...tracesKey, 'list', id, { ...filter, range }],
    queryFn: async ({ pageParam, signal }) => {
      const since = pageParam?.since ?? new Date(Date.now() - rangeMs[range]).toISOString();
      const cursor = pageParam?.cursor;
      const page = await api.traces.list({ id, date_from: since, ...filter, ...(cursor ? { cursor } : {}) }, { signal });
      return { ...page, since };
    },
    initialPageParam: null as Page | null,
    getNextPageParam: ({ next_cursor, since }): Page | null => (next_cursor === null ? null : { cursor: next_cursor, since }),
    // A refetch reads all loaded pages, so several pages are refetched only by hand.
    refetchInterval: ({ state: { data } }) => (isRenewed && mayRenew(data) ? refreshMs : false),
    ...(isRenewed ? {} : { staleTime: 'static' as const }),
  });
}

export const mayRenew = (data: { pages: unknown[] } | undefined) => (data?.pages.length ?? 0) <= 1;

/** A trace with its spans. */
export const traceQuery = (id: string, trace_id: string) =>
  queryOptions({
    queryKey: [...tracesKey, 'one', id, trace_id],
    queryFn: ({ signal }) => api.traces.get({ id, trace_id }, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data && Date.now() - Date.parse(data.started_at) - data.duration_ms < growsMs ? growingRefreshMs : false,
  });
