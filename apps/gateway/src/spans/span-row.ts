import type { Exchange } from '../taps/tap.ts';
import { formatIso, microsecondClock } from './microseconds.ts';

const maxName = 200;
const maxPath = 1_024;
const maxText = 256;

export const hasFailed = ({ status, isUpstreamError }: Exchange): boolean => status >= 500 || isUpstreamError;

/**
 * Serialises the spans of finished exchanges as JSON. A string does not retain the request's head while the span waits for the database.
 * Queries, headers and visitors' addresses are left out; `pathOf` returns a path without personal data.
 */
export function spanWriter(pathOf: (exchange: Exchange) => string): (exchange: Exchange) => string {
  const clock = microsecondClock();
  return (exchange) => {
    const { traceparent, parentSpanId, startedAt, answeredAt } = exchange;
    const path = pathOf(exchange);
    const row = {
      deployment_id: exchange.deploymentId,
      trace_id: traceparent.slice(3, 35),
      span_id: traceparent.slice(36, 52),
      parent_span_id: parentSpanId === '' ? null : parentSpanId,
      name: clean(`${exchange.method} ${path}`, maxName),
      started_at: formatIso(clock(exchange.beganAtMs, startedAt)),
      duration_us: microseconds(performance.now() - startedAt),
      first_chunk_us: answeredAt === 0 ? null : microseconds(answeredAt - startedAt),
      status: hasFailed(exchange) ? 'error' : 'unset',
      attributes: buildAttributes(exchange, path),
    };
    return JSON.stringify(row);
  };
}

function buildAttributes(exchange: Exchange, path: string) {
  return {
    'http.request.method': clean(exchange.method, maxText),
    'url.path': clean(path, maxPath),
    'http.response.status_code': exchange.status,
    'server.address': clean(exchange.host.replace(/:\d*$/, ''), maxText),
    'http.request.body.size': exchange.bytesIn,
    'http.response.body.size': exchange.bytesOut,
    'paddock.request_id': clean(exchange.requestId, maxText),
    ...(exchange.isWebSocket && { 'paddock.websocket': true }),
    ...(hasFailed(exchange) && { 'error.type': errorType(exchange) }),
  };
}

/** The gateway's own error code, the agent's status, or that the response was cut off. */
function errorType({ failure, status }: Exchange): string {
  if (failure !== '') return failure;
  return status >= 500 ? String(status) : 'answer_cut_off';
}

const microseconds = (ms: number) => Math.max(0, Math.round(ms * 1_000));

/** PostgreSQL accepts neither NUL nor lone surrogates; control characters are removed for readers. */
const clean = (text: string, most: number) =>
  text
    .slice(0, most)
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ');
