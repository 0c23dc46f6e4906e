import { filled } from '../../api/filled.ts';

const maxDurationMs = 86_400_000;

/** What an address says of traces, as the pages read it. */
export interface TraceView {
  /** A day is the default and left out. */
  range?: '1h' | '7d' | '30d' | undefined;
  status?: 'ok' | 'error' | undefined;
  model?: string | undefined;
  min_ms?: number | undefined;
  /** Part of a name, or the beginning of an id. */
  find?: string | undefined;
  /** The trace that is open, and in it the span. */
  trace?: string | undefined;
  span?: string | undefined;
}

/** How far back traces go. */
export const traceRanges = ['1h', '24h', '7d'] as const;
export type TraceRange = (typeof traceRanges)[number];

/** Traces are kept for 7 days: where figures go back further, the list shows all there are. */
export function rangeOf({ range }: TraceView): TraceRange {
  return range === '30d' ? '7d' : (range ?? '24h');
}

export const rangeMs = { '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000 } as const satisfies Record<TraceRange, number>;
export const rangeWords = { '1h': 'hour', '24h': '24 hours', '7d': '7 days' } as const satisfies Record<TraceRange, string>;

/** Beside the time, which always is one. */
export const isFiltered = ({ status, model, min_ms, find }: TraceView) =>
  status !== undefined || model !== undefined || min_ms !== undefined || find !== undefined;

export const unfiltered = ({ range }: TraceView): TraceView => (range ? { range } : {});

export const isTraceId = (given: string | undefined): given is string => given !== undefined && /^[0-9a-f]{32}$/.test(given);

/** The filters as the API takes them, without the time. */
export const filterOf = ({ status, model, min_ms, find }: TraceView) =>
  filled({ status, model, min_duration_ms: min_ms && Math.min(min_ms, maxDurationMs), search: find });

/** What every part of the panel is given. */
export interface TracesProps {
  deploymentId: string;
  /** What the address says. */
  view: TraceView;
  /** The whole query of the page that shows a view. */
  queryOf: (view: TraceView) => Record<string, unknown>;
  isRenewed: boolean;
  onRenewed: (isRenewed: boolean) => void;
}

export type Show = (next: TraceView, how?: { replace?: boolean }) => void;
