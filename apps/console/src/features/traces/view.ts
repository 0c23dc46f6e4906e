import { filled } from '../../api/filled.ts';

const maxDurationMs = 86_400_000;

/** The view of traces in an address. */
export interface TraceView {
  /** A day is the default, which the address omits. */
  range?: '1h' | '7d' | '30d' | undefined;
  status?: 'ok' | 'error' | undefined;
  model?: string | undefined;
  min_ms?: number | undefined;
  /** Part of a name, or the start of an id. */
  find?: string | undefined;
  /** The open trace, and the open span in it. */
  trace?: string | undefined;
  span?: string | undefined;
}

/** The time ranges of traces. */
export const traceRanges = ['1h', '24h', '7d'] as const;
export type TraceRange = (typeof traceRanges)[number];

/** Traces are stored for 7 days: for a longer range of figures, the list shows all stored traces. */
export function rangeOf({ range }: TraceView): TraceRange {
  return range === '30d' ? '7d' : (range ?? '24h');
}

export const rangeMs = { '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000 } as const satisfies Record<TraceRange, number>;
export const rangeWords = { '1h': 'hour', '24h': '24 hours', '7d': '7 days' } as const satisfies Record<TraceRange, string>;

/** Whether there is a filter other than the time range. */
export const isFiltered = ({ status, model, min_ms, find }: TraceView) =>
  status !== undefined || model !== undefined || min_ms !== undefined || find !== undefined;

export const unfiltered = ({ range }: TraceView): TraceView => (range ? { range } : {});

export const isTraceId = (given: string | undefined): given is string => given !== undefined && /^[0-9a-f]{32}$/.test(given);

/** The filters in the API's format, without the time range. */
export const filterOf = ({ status, model, min_ms, find }: TraceView) =>
  filled({ status, model, min_duration_ms: min_ms && Math.min(min_ms, maxDurationMs), search: find });

/** Common props of all parts of the panel. */
export interface TracesProps {
  deploymentId: string;
  /** The view in the address. */
  view: TraceView;
  /** All search parameters of the page that shows a view. */
  queryOf: (view: TraceView) => Record<string, unknown>;
  isRenewed: boolean;
  onRenewed: (isRenewed: boolean) => void;
}

export type Show = (next: TraceView, how?: { replace?: boolean }) => void;
