import { randomFillSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { AnswerCode } from './answers.ts';
import type { Client } from './client-address.ts';
import { addConnectionNames } from './connection-names.ts';
import { hopByHop } from './hop-by-hop.ts';
import type { Limits } from './limits.ts';
import { originForm } from './request-target.ts';
import { isTraceparent } from './traceparent.ts';

/** The parts of a request's head that the gateway acts on. The rest is copied, or dropped, by `upstreamHead`. */
export interface RequestFacts {
  host: string;
  target: string;
  accept: string | undefined;
  forwardedFor: string | undefined;
  forwardedProto: string | undefined;
  requestId: string | undefined;
  traceparent: string | undefined;
  /** Lower-case names that the Connection header declares hop-by-hop. */
  connectionNames: Set<string>;
  expects: string | undefined;
  body: 'none' | 'chunked' | number;
}

const methods = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'QUERY',
  'PROPFIND',
  'PROPPATCH',
  'REPORT',
  'SEARCH',
  'MKCOL',
  'COPY',
  'MOVE',
  'LOCK',
  'UNLOCK',
]);

/**
 * Checks what the parser lets through but two servers could read differently (RFC 9112), and collects the facts.
 * Returns the code of the refusal instead if the request must not be passed on.
 */
export function readRequest(req: IncomingMessage, limits: Limits): RequestFacts | AnswerCode {
  const raw = req.rawHeaders;
  if (req.httpVersionMajor !== 1 || raw.length === 0) return 'request_invalid';
  if (raw.length > limits.headerCount * 2) return 'headers_too_large';
  if (!methods.has(req.method!)) return 'method_not_allowed';
  const url = req.url!;
  if (url.length > limits.uriBytes) return 'uri_too_long';
  const facts: RequestFacts = {
    host: '',
    target: url,
    accept: undefined,
    forwardedFor: undefined,
    forwardedProto: undefined,
    requestId: undefined,
    traceparent: undefined,
    connectionNames: new Set(),
    expects: undefined,
    body: 'none',
  };
  let hosts = 0;
  for (let i = 0; i < raw.length; i += 2) {
    const value = raw[i + 1]!;
    switch (raw[i]!.toLowerCase()) {
      case 'host':
        hosts += 1;
        facts.host = value;
        break;
      case 'transfer-encoding':
        // Two framings, or one that not everybody reads the same way, is how requests are smuggled.
        if (facts.body !== 'none' || value.toLowerCase() !== 'chunked' || req.httpVersionMinor === 0) return 'request_invalid';
        facts.body = 'chunked';
        break;
      case 'content-length':
        if (facts.body !== 'none' || !/^\d{1,15}$/.test(value)) return 'request_invalid';
        facts.body = Number(value);
        break;
      case 'connection':
        if (!addConnectionNames(value, facts.connectionNames)) return 'headers_too_large';
        break;
      case 'accept':
        facts.accept = value;
        break;
      case 'expect':
        facts.expects = value.toLowerCase();
        break;
      case 'x-forwarded-for':
        facts.forwardedFor = facts.forwardedFor === undefined ? value : `${facts.forwardedFor},${value}`;
        break;
      case 'x-forwarded-proto':
        facts.forwardedProto = value.toLowerCase();
        break;
      case 'x-request-id':
        facts.requestId = value;
        break;
      case 'traceparent':
        facts.traceparent = facts.traceparent === undefined && isTraceparent(value) ? value : undefined;
        break;
    }
  }
  if (hosts !== 1) return 'host_invalid';
  if (facts.body === 0) facts.body = 'none';
  const form = originForm(req.method!, url, facts.host);
  if (typeof form === 'string') return form;
  facts.target = form.target;
  return facts;
}

// Never copied: hop-by-hop, framing and forwarding headers, which are ours to set, and names that some servers obey although no visitor may say them.
const dropped = new Set([
  ...hopByHop,
  'host',
  'expect',
  'forwarded',
  'x-real-ip',
  'x-request-id',
  'traceparent',
  'x-original-url',
  'x-original-host',
  'x-rewrite-url',
  'x-http-method-override',
  'x-http-method',
  'x-method-override',
  'proxy',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'x-host',
  'x-remote-user',
  'remote-user',
  'via',
]);

function isDropped(name: string): boolean {
  // WSGI and CGI read X_Forwarded_For and X-Forwarded-For as one variable.
  const plain = name.includes('_') ? name.replaceAll('_', '-') : name;
  return dropped.has(plain) || plain.startsWith('x-forwarded') || plain.startsWith('paddock-') || plain.startsWith('x-paddock-');
}

/** The whole head that the agent receives, ending with the empty line. */
export function upstreamHead(
  req: IncomingMessage,
  facts: RequestFacts,
  more: { client: Client; requestId: string; webSocket: boolean },
): string {
  const { client } = more;
  const proto = client.isHttps ? 'https' : 'http';
  let head = `${req.method!} ${facts.target} HTTP/1.1\r\nHost: ${facts.host}\r\n`;
  const raw = req.rawHeaders;
  const named = facts.connectionNames;
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!.toLowerCase();
    if (isDropped(name) || named.has(name)) continue;
    // Without the traceparent that it belongs to, a tracestate says nothing.
    if (name === 'tracestate' && facts.traceparent === undefined) continue;
    head += `${raw[i]!}: ${raw[i + 1]!}\r\n`;
  }
  if (facts.body === 'chunked') head += 'Transfer-Encoding: chunked\r\n';
  else if (facts.body !== 'none') head += `Content-Length: ${facts.body}\r\n`;
  else if (req.method === 'POST' || req.method === 'PUT' || req.method === 'PATCH') head += 'Content-Length: 0\r\n';
  head += `X-Forwarded-For: ${client.address}\r\nX-Forwarded-Proto: ${proto}\r\nX-Forwarded-Host: ${facts.host}\r\nX-Real-IP: ${client.address}\r\n`;
  head += `Forwarded: for=${client.address.includes(':') ? `"[${client.address}]"` : client.address};host="${facts.host}";proto=${proto}\r\n`;
  head += `X-Request-Id: ${more.requestId}\r\ntraceparent: ${facts.traceparent ?? `00-${randomHex(16)}-${randomHex(8)}-01`}\r\n`;
  return head + (more.webSocket ? 'Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n' : 'Connection: keep-alive\r\n\r\n');
}

/** A trusted proxy's request id is kept, so that both logs tell the same one. */
export function requestIdOf(facts: RequestFacts, client: Client): string {
  if (client.isTrustedProxy && facts.requestId !== undefined && /^[\w.:-]{8,128}$/.test(facts.requestId)) return facts.requestId;
  return newRequestId();
}

export function newRequestId(): string {
  return `req_${randomHex(12)}`;
}

// One system call per few hundred requests.
const random = Buffer.alloc(4096);
let used = random.length;

function randomHex(bytes: number): string {
  if (used + bytes > random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += bytes;
  return random.toString('hex', used - bytes, used);
}
