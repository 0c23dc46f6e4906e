import type { Duplex } from 'node:stream';
import type { ApiError } from '@paddock/contract';
import { challenge, problem } from './problems.ts';

interface Refusal {
  error: ApiError;
  request_id: string;
  /** Replaces the error's own status. */
  status?: number;
  reason?: string;
  /** Whether the caller sent a token. */
  hasToken?: boolean;
  headers?: Record<string, string>;
}

/** Answers a request that the framework never sees in the same way: with a problem and a request id. Closes the connection. */
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
