import type { Duplex } from 'node:stream';
import type { ApiError } from '@paddock/contract';
import { challenge, problem } from './problems.ts';

interface Refusal {
  error: ApiError;
  request_id: string;
  /** Overrides the error's own status. */
  status?: number;
  reason?: string;
  /** The caller sent a token. */
  hasToken?: boolean;
  headers?: Record<string, string>;
}

/** Responds to requests that bypass the framework in the same form: a problem with a request id. The connection is closed. */
export function refuseRaw(
  socket: Duplex,
  { error, request_id, status = error.status, reason = 'Refused', hasToken = false, headers = {} }: Refusal,
) {
  const body = JSON.stringify({ ...problem(error, request_id), status });
  const told = challenge(error, hasToken);
  const lines = {
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
    'x-request-id': request_id,
    ...(error.retry_after_s === undefined ? {} : { 'retry-after': Math.max(1, Math.ceil(error.retry_after_s)) }),
    ...(told ? { 'www-authenticate': told } : {}),
    ...headers,
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${head.join('')}\r\n${body}`, () => socket.destroy());
}
