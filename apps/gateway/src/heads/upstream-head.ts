import type { Client } from '../relay/client-address.ts';
import type { RequestHead } from './request-head.ts';

/** The forwarding headers for a client; the same for all requests of a connection unless a proxy is in front. */
export function forwardingLines({ address, isHttps }: Client): string {
  const proto = isHttps ? 'https' : 'http';
  return `X-Forwarded-For: ${address}\r\nX-Forwarded-Proto: ${proto}\r\nX-Real-IP: ${address}\r\n`;
}

/** The client's address as a node of the `Forwarded` header. */
export const forwardedNode = (address: string): string => (address.includes(':') ? `"[${address}]"` : address);

/** The complete head for the agent, with the empty line. Framing and forwarding headers are always the gateway's own. */
export function upstreamHead(
  head: RequestHead,
  client: Client,
  own: { forwarding: string; requestId: string; host_header: string | null; traceparent: string; isWebSocket: boolean },
): string {
  const { host } = head;
  const proto = client.isHttps ? 'https' : 'http';
  const forwarded = `for=${forwardedNode(client.address)};host="${host}";proto=${proto}`;
  return `${head.method} ${head.target} HTTP/1.1\r\nHost: ${own.host_header ?? host}\r\n${head.kept}${formatFraming(head)}${own.forwarding}X-Forwarded-Host: ${host}\r\nForwarded: ${forwarded}\r\nX-Request-Id: ${own.requestId}\r\ntraceparent: ${own.traceparent}\r\n${head.tracestate}${formatConnection(head, own.isWebSocket)}\r\n\r\n`;
}

/** The gateway closes the connection after a request with a body and after HEAD; an agent that is told so parses no further request. */
function formatConnection(head: RequestHead, isWebSocket: boolean): string {
  if (isWebSocket) return 'Connection: Upgrade\r\nUpgrade: websocket';
  return head.isChunked || head.length > 0 || head.method === 'HEAD' ? 'Connection: close' : 'Connection: keep-alive';
}

function formatFraming(head: RequestHead): string {
  if (head.isChunked) return 'Transfer-Encoding: chunked\r\n';
  if (head.length > 0) return `Content-Length: ${head.length}\r\n`;
  const { method } = head;
  return method === 'POST' || method === 'PUT' || method === 'PATCH' ? 'Content-Length: 0\r\n' : '';
}
