import type { ModelPrices, Span, Trace, TraceDetail } from '@paddock/contract';
import { iso } from '@paddock/contract/time';
import { computeSpanCost } from './prices.ts';
import type { Step } from './shapes.ts';

export interface Drawn {
  trace_id: string;
  deployment_id: string;
  at: number;
  root: Step;
  /** Factor of the durations, about 1. */
  pace: number;
}

/** The trace of a shape, with its spans ordered by start. */
export function buildTrace({ trace_id, deployment_id, at, root, pace }: Drawn, prices: ModelPrices['model_prices']): TraceDetail {
  const spans: Span[] = [];
  const add = (step: Step, parent: Span | null, offset: number) => {
    const span = buildSpan({ step, parent, offset, ms: step.ms * pace, began: at, id: idOf(trace_id, spans.length) });
    spans.push({ ...span, cost_usd: computeSpanCost(span, prices) });
    let next = offset + 2 * pace;
    for (const inner of step.inner ?? []) {
      const from = inner.at === undefined ? next : offset + inner.at * pace;
      add(inner, span, from);
      next = Math.max(next, from + inner.ms * pace + 2 * pace);
    }
  };
  add(root, null, 0);
  spans.sort((a, b) => a.offset_ms - b.offset_ms);
  return { ...summariseSpans(spans), trace_id, deployment_id, name: root.name, started_at: iso(at), duration_ms: root.ms * pace, spans };
}

function summariseSpans(spans: readonly Span[]): Omit<Trace, 'trace_id' | 'deployment_id' | 'name' | 'started_at' | 'duration_ms'> {
  const calls = spans.filter(({ model }) => model !== null);
  const priced = calls.filter(({ cost_usd }) => cost_usd !== null);
  const names = (of: readonly Span[]) => [...new Set(of.flatMap(({ model }) => model ?? []))];
  const sum = (of: readonly Span[], figure: (span: Span) => number | null) =>
    of.length === 0 ? null : of.reduce((total, span) => total + (figure(span) ?? 0), 0);
  return {
    status: spans.some(({ status }) => status === 'error') ? 'error' : 'ok',
    span_count: spans.length,
    input_tokens: sum(calls, (span) => span.input_tokens),
    output_tokens: sum(calls, (span) => span.output_tokens),
    cost_usd: sum(priced, (span) => span.cost_usd),
    unpriced_models: names(calls.filter(({ cost_usd }) => cost_usd === null)),
    models: names(calls),
  };
}

interface Placed {
  step: Step;
  parent: Span | null;
  offset: number;
  ms: number;
  began: number;
  id: string;
}

function buildSpan({ step, parent, offset, ms, began, id }: Placed): Span {
  const { tokens, error } = step;
  const failed = { name: 'exception', at_ms: offset + ms, attributes: { 'exception.message': error ?? '' } };
  return {
    span_id: id,
    parent_span_id: parent?.span_id ?? null,
    name: step.name,
    kind: step.kind ?? 'internal',
    type: step.type,
    origin: step.type === 'request' ? 'gateway' : 'agent',
    started_at: iso(began + offset),
    offset_ms: offset,
    duration_ms: ms,
    status: error === undefined ? 'unset' : 'error',
    status_message: error ?? null,
    provider: step.provider ?? null,
    model: step.model ?? null,
    input_tokens: tokens?.input ?? null,
    cached_tokens: tokens ? (tokens.cached ?? 0) : null,
    cache_write_tokens: null,
    output_tokens: tokens?.output ?? null,
    reasoning_tokens: tokens?.reasoning ?? null,
    first_chunk_ms: step.firstChunkMs === undefined ? null : step.firstChunkMs * (ms / step.ms),
    cost_usd: null,
    is_counted: tokens !== undefined,
    attributes: step.attributes ?? {},
    events: error !== undefined && (step.inner ?? []).length === 0 ? [failed] : [],
    dropped: 0,
    content_dropped: step.content ?? 0,
  };
}

const idOf = (traceId: string, index: number) => `${traceId.slice(0, 12)}${index.toString(16).padStart(4, '0')}`;
