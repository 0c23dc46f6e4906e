import type { Span } from '@paddock/contract';
import { traceLimits } from '@paddock/contract/limits';
import type { RawSpan, SpanSemantics } from '@paddock/otlp';

/** A row of `spans`, in the form of the store. */
export interface NewSpan extends SpanSemantics {
  trace_id: string;
  span_id: string;
  parent_span_id: string | null;
  name: string;
  kind: Span['kind'];
  started_at: string;
  duration_us: number;
  status: Span['status'];
  status_message: string | null;
  is_counted: boolean;
  attributes: object;
  events: object[];
  dropped: number;
  content_dropped: number;
  bytes: number;
}

const kinds: Span['kind'][] = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'];
const statuses: Span['status'][] = ['unset', 'ok', 'error'];
const aheadNs = 3_600_000_000_000n;
const keptNs = BigInt(traceLimits.keptDays) * 86_400_000_000_000n;
const maxDurationUs = 1e15;
/** Bytes besides texts: the fields of fixed size, and the row's index entry. */
const fixedBytes = 300;

/** False for a span without ids, or whose time is far from the present. */
export const isPlausible = ({ trace_id, span_id, start_ns }: RawSpan, now_ns: bigint): boolean =>
  trace_id !== '' && span_id !== '' && start_ns >= now_ns - keptNs && start_ns <= now_ns + aheadNs;

/** `understood` contains the span's semantics before its values were masked. */
export function toSpanRow(span: RawSpan, understood: SpanSemantics): NewSpan {
  const { trace_id, span_id, start_ns, end_ns } = span;
  const duration_us = end_ns > start_ns ? Math.min(maxDurationUs, Number((end_ns - start_ns) / 1000n)) : 0;
  const attributes = Object.fromEntries(span.attributes);
  const events = span.events.map(({ name, at_ns, attributes }) => ({
    name,
    at_us: Math.min(Number.MAX_SAFE_INTEGER, Number(at_ns / 1000n)),
    attributes: Object.fromEntries(attributes),
  }));
  const { first_chunk_us } = understood;
  return {
    ...understood,
    first_chunk_us: first_chunk_us === null ? null : Math.min(first_chunk_us, maxDurationUs),
    trace_id,
    span_id,
    parent_span_id: span.parent_span_id || null,
    name: span.name || 'unnamed',
    kind: kinds[span.kind] ?? 'internal',
    started_at: formatTimestamp(start_ns),
    duration_us,
    status: statuses[span.status] ?? 'unset',
    status_message: span.status_message || null,
    is_counted: isCall(understood),
    attributes,
    events,
    dropped: Math.min(span.dropped, 2 ** 31 - 1),
    content_dropped: span.content_dropped,
    bytes: fixedBytes + span.name.length + span.status_message.length + JSON.stringify(attributes).length + JSON.stringify(events).length,
  };
}

export const isCall = ({ type }: Pick<NewSpan, 'type'>): boolean => type === 'model' || type === 'embedding';
export const hasTokenCounts = ({ input_tokens, output_tokens }: Pick<NewSpan, 'input_tokens' | 'output_tokens'>): boolean =>
  input_tokens !== null || output_tokens !== null;

/** With microseconds. */
const formatTimestamp = (ns: bigint): string => {
  const us = ns / 1000n;
  return new Date(Number(us / 1000n)).toISOString().replace('Z', `${String(us % 1000n).padStart(3, '0')}Z`);
};

/**
 * Prevents double counting: if two instrumentations report one call as nested spans, the inner one counts. An inner span ends first, so it arrives in
 * the same request or is stored already: `told` has the ids of spans that contain another.
 */
export function skipNestedCalls(rows: NewSpan[], told: ReadonlySet<string>): void {
  const byId = new Map(rows.map((row) => [keyOf(row.trace_id, row.span_id), row]));
  for (const row of rows) if (row.is_counted && told.has(keyOf(row.trace_id, row.span_id))) row.is_counted = false;
  for (const row of rows) {
    if (!isCall(row) || !hasTokenCounts(row)) continue;
    const seen = new Set([row]);
    for (let outer = parentOf(row); outer && !seen.has(outer); outer = parentOf(outer)) {
      seen.add(outer);
      outer.is_counted = false;
    }
  }

  function parentOf({ trace_id, parent_span_id }: NewSpan): NewSpan | undefined {
    return parent_span_id === null ? undefined : byId.get(keyOf(trace_id, parent_span_id));
  }
}

export const keyOf = (trace_id: string, span_id: string): string => `${trace_id} ${span_id}`;
