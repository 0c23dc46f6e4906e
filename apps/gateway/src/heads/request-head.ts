import type { Limits } from '../limits.ts';
import type { ResponseCode } from '../pages/own-responses.ts';
import { CR, kinds, LF, SPACE, TARGET } from './characters.ts';
import { ConnectionOptions, withoutNamed } from './connection-names.ts';
import { BROKEN, END, HeaderLines } from './header-lines.ts';
import { hopByHop } from './hop-by-hop.ts';
import {
  CONNECTION,
  CONTENT_LENGTH,
  DROP,
  EXPECT,
  HOST,
  KEEP,
  nameTable,
  TRACEPARENT,
  TRACESTATE,
  TRANSFER_ENCODING,
  UPGRADE,
} from './names.ts';
import { originForm } from './request-target.ts';
import { isTraceparent } from './traceparent.ts';

/** The request head that was read last. The next one overwrites everything. */
export class RequestHead {
  method = '';
  /** In origin form. */
  target = '';
  /** Minor version of HTTP/1.x. */
  minor = 1;
  host = '';
  isChunked = false;
  /** Content-Length, or -1. */
  length = -1;
  readonly connection = new ConnectionOptions();
  /** Lower case; empty without one. */
  expects = '';
  /** Lower case; empty without one. */
  upgrade = '';
  /** Empty without a valid one. */
  traceparent = '';
  /** Lines, each with its CRLF. */
  tracestate = '';
  /** The lines forwarded to the agent unchanged, each with its CRLF. */
  kept = '';
  #hosts = 0;
  #traceparents = 0;

  clear(): void {
    this.host = '';
    this.isChunked = false;
    this.length = -1;
    this.connection.clear();
    this.expects = '';
    this.upgrade = '';
    this.traceparent = '';
    this.tracestate = '';
    this.kept = '';
    this.#hosts = 0;
    this.#traceparents = 0;
  }

  /** Handles the reader's current line. Returns the code of the refusal, or ''. */
  take(meaning: number, line: HeaderLines): ResponseCode | '' {
    switch (meaning) {
      case HOST:
        this.#hosts += 1;
        this.host = line.value();
        return '';
      case TRANSFER_ENCODING:
        // Two framings, or one that parsers read differently, allow request smuggling: a tab beside the value is whitespace to
        // some parsers and part of the value to others.
        if (this.isChunked || this.length >= 0 || !line.isChunked() || line.hasTab()) return 'request_invalid';
        this.isChunked = true;
        return '';
      case CONTENT_LENGTH:
        if (this.isChunked || this.length >= 0) return 'request_invalid';
        this.length = line.number();
        return this.length < 0 ? 'request_invalid' : '';
      case CONNECTION:
        return this.connection.add(line.value()) ? '' : 'headers_too_large';
      case EXPECT:
        // Several Expect headers together have no defined meaning.
        this.expects = this.expects === '' ? line.value().toLowerCase() || '?' : '?';
        return '';
      case UPGRADE:
        this.upgrade = line.value().toLowerCase();
        return '';
      case TRACEPARENT:
        this.#traceparents += 1;
        this.traceparent = this.#traceparents === 1 && isTraceparent(line.value()) ? line.value() : '';
        return '';
      case TRACESTATE:
        this.tracestate += `${line.text.slice(line.from, line.valueTo)}\r\n`;
        return '';
      default:
        return '';
    }
  }

  get hasOneHost(): boolean {
    return this.#hosts === 1;
  }
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

// Never forwarded: hop-by-hop and forwarding headers, which the gateway sets, and names that some servers obey but visitors may not set.
const dropped = [
  ...hopByHop,
  'forwarded',
  'x-real-ip',
  'x-request-id',
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
];

const names = nameTable(
  [
    ...new Map<string, number>([
      ...dropped.map((name): [string, number] => [name, DROP]),
      ['host', HOST],
      ['transfer-encoding', TRANSFER_ENCODING],
      ['content-length', CONTENT_LENGTH],
      ['connection', CONNECTION],
      ['expect', EXPECT],
      ['upgrade', UPGRADE],
      ['traceparent', TRACEPARENT],
      ['tracestate', TRACESTATE],
    ]),
  ],
  ['x-forwarded', 'x-paddock-', 'paddock-'],
  true,
);
const lines = new HeaderLines(names);

/**
 * Parses a request's head, without the empty line at its end, into `head`: in one pass and linear time. Refuses what two servers could read
 * differently (RFC 9112). Returns the code of the refusal, or ''.
 */
export function readRequestHead(text: string, limits: Limits, head: RequestHead): ResponseCode | '' {
  const headersFrom = readRequestLine(text, head);
  if (headersFrom < 0) return 'request_invalid';
  if (!methods.has(head.method)) return /^[A-Z]+$/.test(head.method) ? 'method_not_allowed' : 'request_invalid';
  if (head.target.length > limits.uriBytes) return 'uri_too_long';
  const problem = readLines(text, headersFrom, { limits, head });
  if (problem !== '') return problem;
  if (!head.hasOneHost) return 'host_invalid';
  if (head.isChunked && head.minor === 0) return 'request_invalid';
  const form = head.target.charCodeAt(0) === 47 ? undefined : originForm(head.method, head.target, head.host);
  if (typeof form === 'string') return form;
  if (form !== undefined) head.target = form.target;
  return '';
}

/** Parses method, space, target, space, HTTP/1.0 or HTTP/1.1. Returns where the headers begin, or -1. */
function readRequestLine(text: string, head: RequestHead): number {
  const space = text.indexOf(' ');
  if (space < 1 || space > 20) return -1;
  let at = space + 1;
  while (at < text.length && (kinds[text.charCodeAt(at)]! & TARGET) !== 0) at += 1;
  const minor = text.charCodeAt(at + 8) - 48;
  if (text.charCodeAt(at) !== SPACE || at === space + 1 || !text.startsWith('HTTP/1.', at + 1)) return -1;
  if ((minor !== 0 && minor !== 1) || text.charCodeAt(at + 9) !== CR || text.charCodeAt(at + 10) !== LF) return -1;
  head.method = text.slice(0, space);
  head.target = text.slice(space + 1, at);
  head.minor = minor;
  return at + 11;
}

function readLines(text: string, from: number, { limits, head }: { limits: Limits; head: RequestHead }): ResponseCode | '' {
  head.clear();
  lines.start(text, from);
  let keptFrom = from;
  let kept = '';
  for (let count = 1; ; count++) {
    const meaning = lines.advance();
    if (meaning === END) break;
    if (meaning === BROKEN) return 'request_invalid';
    if (count > limits.headerCount) return 'headers_too_large';
    if (meaning === KEEP) continue;
    const problem = head.take(meaning, lines);
    if (problem !== '') return problem;
    if (lines.from > keptFrom) kept += text.slice(keptFrom, lines.from);
    keptFrom = lines.next;
  }
  if (keptFrom < text.length) kept += `${text.slice(keptFrom)}\r\n`;
  const named = head.connection.names;
  head.kept = named === undefined ? kept : withoutNamed(kept, named);
  if (named?.has('tracestate') || head.traceparent === '') head.tracestate = '';
  return '';
}
