import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { filterOf, rangeMs, rangeOf, type TraceView } from './view.ts';

/** As on the page of metrics: so often while somebody looks. */
const refreshMs = 30_000;
/** Spans of a trace that has just ended may still be on their way. */
const growsMs = 120_000;
const growingRefreshMs = 10_000;

/** All that is read of traces begins with it. */
export const tracesKey = ['traces'] as const;

interface Page {
  cursor: string | undefined;
  /** The same for all pages of one reading. */
  since: string;
}

/** The traces that match, page by page, newest first. Without `isRenewed` the list stays as it is until somebody asks for another. */
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
    // Each renewal reads all pages, so whoever has opened several of them renews by hand.
    refetchInterval: ({ state: { data } }) => (isRenewed && mayRenew(data) ? refreshMs : false),
    ...(isRenewed ? {} : { staleTime: 'static' as const }),
  });
}

export const mayRenew = (data: { pages: unknown[] } | undefined) => (data?.pages.length ?? 0) <= 1;

/** One trace with its spans. */
export const traceQuery = (id: string, trace_id: string) =>
  queryOptions({
    queryKey: [...tracesKey, 'one', id, trace_id],
    queryFn: ({ signal }) => api.traces.get({ id, trace_id }, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data && Date.now() - Date.parse(data.started_at) - data.duration_ms < growsMs ? growingRefreshMs : false,
  });
