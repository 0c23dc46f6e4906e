import type { Span, Trace, TraceDetail, TraceLosses } from '@paddock/contract';
import { countText, dollarText, exactDollarText, latencyText } from '@paddock/contract/figures';
import { buildSpanTree } from '@paddock/contract/span-tree';
import { shownText } from '@paddock/contract/terminal-text';
import { type Terminal, table } from '../terminal.ts';

const maxName = 60;
const maxModels = 2;
/** Deeper spans are indented no further. */
const maxIndented = 20;

/** A line for each trace. */
export function tracesText(traces: readonly Trace[], terminal: Pick<Terminal, 'paint' | 'width'>): string {
  const rows = traces.map((trace) => [
    trace.trace_id,
    timeText(trace.started_at),
    shownText(trace.name, maxName),
    latencyText(trace.duration_ms),
    trace.status,
    String(trace.span_count),
    tokensText(trace),
    costText(trace),
    modelsText(trace.models),
  ]);
  return table(['TRACE', 'STARTED', 'NAME', 'DURATION', 'STATUS', 'SPANS', 'TOKENS', 'COST', 'MODELS'], rows, terminal);
}

/** A trace as a whole, then its spans as a tree. */
export function traceText(trace: TraceDetail, terminal: Pick<Terminal, 'paint' | 'width'>): string {
  const head: [string, string][] = [
    ['Trace', trace.trace_id],
    ['Name', shownText(trace.name)],
    ['Started', trace.started_at],
    ['Duration', latencyText(trace.duration_ms)],
    ['Status', trace.status],
    ['Tokens', tokensText(trace)],
    ['Cost', costText(trace)],
    ['Models', trace.models.map((model) => shownText(model, maxName)).join(', ') || '–'],
  ];
  const rows = buildSpanTree(trace.spans).map(({ span, level }) => [
    `${'  '.repeat(Math.min(level - 1, maxIndented))}${shownText(span.name, maxName) || '–'}`,
    span.type === 'other' ? '' : span.type,
    latencyText(span.offset_ms),
    latencyText(span.duration_ms),
    span.input_tokens === null && span.output_tokens === null ? '' : tokensText(span),
    spanCost(span),
    span.status === 'error' ? `error${span.status_message ? `: ${shownText(span.status_message, 100)}` : ''}` : '',
  ]);
  const tree = table(['SPAN', 'TYPE', 'BEGAN', 'DURATION', 'TOKENS', 'COST', 'STATUS'], rows, terminal);
  const missing = trace.span_count > trace.spans.length ? [`${trace.spans.length} of ${trace.span_count} spans are kept.`] : [];
  return [...head.map(([label, value]) => label.padEnd(10) + value), '', trimmed(tree), ...missing].join('\n');
}

/** A sentence about the data that was not stored; null if nothing was lost. */
export function lostText({ spans, requests, content, unused }: TraceLosses): string | null {
  const parts = [
    ...(spans > 0 ? [`${spans} spans`] : []),
    ...(requests > 0 ? [`${requests} refused requests of the agent`] : []),
    ...(content > 0 ? [`${content} attributes with prompts and answers`] : []),
    ...(unused > 0 ? [`${unused} requests with metrics or logs`] : []),
  ];
  return parts.length > 0 ? `Not stored in the last 24 hours: ${parts.join(', ')}.` : null;
}

const tokensText = ({ input_tokens, output_tokens }: Pick<Trace, 'input_tokens' | 'output_tokens'>) =>
  input_tokens === null && output_tokens === null ? '–' : `${countText(input_tokens)} in, ${countText(output_tokens)} out`;

/** Calls without a known price are not shown as a cost of 0. */
function costText({ cost_usd, unpriced_models }: Pick<Trace, 'cost_usd' | 'unpriced_models'>): string {
  if (unpriced_models.length === 0) return dollarText(cost_usd);
  return cost_usd === null ? 'no price' : `${dollarText(cost_usd)} + no price`;
}

function spanCost({ cost_usd, model, input_tokens, is_counted }: Span): string {
  if (cost_usd !== null) return exactDollarText(cost_usd);
  return is_counted && model !== null && input_tokens !== null ? 'no price' : '';
}

function modelsText(models: readonly string[]): string {
  if (models.length === 0) return '–';
  const named = models.slice(0, maxModels).map((model) => shownText(model, maxName));
  return named.join(', ') + (models.length > maxModels ? ` + ${models.length - maxModels}` : '');
}

const timeText = (at: string) => at.replace('T', ' ').slice(0, 19);

/** Removes the trailing blanks that empty last columns leave. */
const trimmed = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
