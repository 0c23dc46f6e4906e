import type { Client } from '../relay/client-address.ts';
import type { RequestHead } from './request-head.ts';

/** The forwarding lines that name the client; the same for all requests of a connection unless a proxy stands before it. */
export function forwardingLines({ address, isHttps }: Client): string {
  const proto = isHttps ? 'https' : 'http';
  return `X-Forwarded-For: ${address}\r\nX-Forwarded-Proto: ${proto}\r\nX-Real-IP: ${address}\r\n`;
}

/** The address as `Forwarded` writes it, the part before and after the host. */
export const forwardedNode = (address: string): string => (address.includes(':') ? `"[${address}]"` : address);

/** The whole head that the agent receives, ending with the empty line. Framing and forwarding headers are always the gateway's own. */
export function upstreamHead(
  head: RequestHead,
  client: Client,
  own: { forwarding: string; requestId: string; host_header: string | null; traceparent: string; isWebSocket: boolean },
): string {
  const { host } = head;
  const proto = client.isHttps ? 'https' : 'http';
  const forwarded = `for=${forwardedNode(client.address)};host="${host}";proto=${proto}`;
  return `${head.method} ${head.target} HTTP/1.1\r\nHost: ${own.host_header ?? host}\r\n${head.kept}${framingOf(head)}${own.forwarding}X-Forwarded-Host: ${host}\r\nForwarded: ${forwarded}\r\nX-Request-Id: ${own.requestId}\r\ntraceparent: ${own.traceparent}\r\n${head.tracestate}${connectionOf(head, own.isWebSocket)}\r\n\r\n`;
}

/** The gateway closes after a request with a body and after HEAD; an agent that knows this does not parse later bytes as a request. */
function connectionOf(head: RequestHead, isWebSocket: boolean): string {
  if (isWebSocket) return 'Connection: Upgrade\r\nUpgrade: websocket';
  return head.isChunked || head.length > 0 || head.method === 'HEAD' ? 'Connection: close' : 'Connection: keep-alive';
}

function framingOf(head: RequestHead): string {
  if (head.isChunked) return 'Transfer-Encoding: chunked\r\n';
  if (head.length > 0) return `Content-Length: ${head.length}\r\n`;
  const { method } = head;
  return method === 'POST' || method === 'PUT' || method === 'PATCH' ? 'Content-Length: 0\r\n' : '';
}
