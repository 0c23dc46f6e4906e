import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError, errors } from '@paddock/contract';
import type { FastifyInstance } from 'fastify';
import { refuseRaw } from './raw-refusal.ts';

const maxHeaders = 100;
const hostForm = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/**
 * Refuses requests that the parser accepts and that two servers could read differently (RFC 9112): behind a proxy, one caller's
 * bytes would become another's request. After such a refusal nothing more is read from the connection.
 */
export function refuseAmbiguous(app: FastifyInstance) {
  const refused = new WeakSet<Socket>();
  // The parser would silently drop headers beyond its limit, so they are counted here.
  app.server.maxHeadersCount = 0;
  app.addHook('onRequest', async (request, reply) => {
    const { socket } = request.raw;
    if (refused.has(socket) || socket.destroyed) {
      reply.hijack();
      return reply;
    }
    const detail = ambiguity(request.raw);
    if (!detail && request.method !== 'TRACE') return undefined;
    refused.add(socket);
    reply.header('connection', 'close');
    if (!detail) return undefined; // refused like any method that the path does not accept
    throw new ApiError('request_invalid', { detail });
  });
}

export function ambiguity(request: IncomingMessage): string | undefined {
  const { rawHeaders: raw, url = '' } = request;
  if (raw.length > maxHeaders * 2) return `The request has more than ${maxHeaders} headers.`;
  const values = (name: string) => raw.filter((_, i) => i % 2 === 1 && raw[i - 1]!.toLowerCase() === name);
  const [host, ...moreHosts] = values('host');
  if (host === undefined || moreHosts.length > 0 || host.length > 262 || !hostForm.test(host))
    return 'The request needs exactly one valid Host header.';
  const [coding, ...moreCodings] = values('transfer-encoding');
  if (moreCodings.length > 0 || (coding !== undefined && coding.toLowerCase() !== 'chunked'))
    return 'The body is framed in an unclear way.';
  if (url === '*' && request.method === 'OPTIONS') return undefined;
  if (url.includes('#') || !(url.startsWith('/') || isAbsoluteFor(url, host))) return 'The address is not one that a server is asked for.';
  return undefined;
}

function isAbsoluteFor(url: string, host: string): boolean {
  return /^https?:\/\/([^/?]*)/i.exec(url)?.[1]?.toLowerCase() === host.toLowerCase();
}

const codes: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
};

/**
 * Handles bytes that never became a request. A problem is sent only as the connection's first output; later it would look like part of a response.
 */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket, request_id: string): void {
  if (!socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const [status, reason] = codes[error.code ?? ''] ?? [errors.request_invalid.status, 'Bad Request'];
  refuseRaw(socket, { error: new ApiError('request_invalid'), request_id, status, reason });
}

/** CONNECT addresses a proxy, whatever the target. This server is not a proxy. */
export function refuseTunnel(socket: Duplex, request_id: string): void {
  socket.on('error', () => socket.destroy());
  refuseRaw(socket, {
    error: new ApiError('method_not_allowed'),
    request_id,
    reason: 'Method Not Allowed',
    headers: { allow: 'GET, HEAD' },
  });
}
