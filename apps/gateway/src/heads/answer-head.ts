import type { Limits } from '../limits.ts';
import { beyondHost, proxyOrders } from './agent-headers.ts';
import { CR, kinds, LF, SPACE, VALUE } from './characters.ts';
import { ConnectionOptions, withoutNamed } from './connection-names.ts';
import { BROKEN, END, HeaderLines } from './header-lines.ts';
import { hopByHop } from './hop-by-hop.ts';
import {
  ALLOW_CREDENTIALS,
  ALLOW_ORIGIN,
  CONNECTION,
  CONTENT_LENGTH,
  CONTENT_TYPE,
  DATE,
  DROP,
  firstLookedAt,
  KEEP,
  nameTable,
  SET_COOKIE,
  TRANSFER_ENCODING,
  UPGRADE,
} from './names.ts';
import { cookieForHost } from './set-cookie.ts';

const ofUnchangedBody = new Set(['etag', 'content-md5', 'digest', 'content-digest', 'repr-digest', 'accept-ranges', 'content-range']);
const ofDecodedBody = new Set([...ofUnchangedBody, 'content-encoding']);

/** The head of the agent's response that was read last. The next one overwrites everything. */
export class AnswerHead {
  status = 0;
  /** Minor version of HTTP/1.x. */
  minor = 1;
  /** The status and the reason, as the agent wrote them. */
  statusText = '';
  isChunked = false;
  /** Content-Length, or -1; for HEAD and 304 the length that the body would have. */
  length = -1;
  readonly connection = new ConnectionOptions();
  /** Lower case; empty without one. */
  upgrade = '';
  hasDate = false;
  isEventStream = false;
  /** The lines forwarded to the visitor, each with its CRLF. */
  kept = '';
  allowsAnyOrigin = false;
  allowsCredentials = false;

  clear(): void {
    this.isChunked = false;
    this.length = -1;
    this.connection.clear();
    this.upgrade = '';
    this.hasDate = false;
    this.isEventStream = false;
    this.kept = '';
    this.allowsAnyOrigin = false;
    this.allowsCredentials = false;
  }

  /** Removes headers that only hold for the body as the agent sent it, and its encoding if it was decoded. */
  dropForChange(isDecoded: boolean): void {
    this.kept = withoutNamed(this.kept, isDecoded ? ofDecodedBody : ofUnchangedBody);
  }

  /** Handles a line that is not copied unchanged. Returns what is wrong with it, or ''. */
  take(meaning: number, line: HeaderLines): string {
    switch (meaning) {
      case CONTENT_LENGTH:
        if (this.length >= 0) return 'two Content-Lengths';
        this.length = line.number();
        return this.length < 0 ? 'unclear Content-Length' : '';
      case TRANSFER_ENCODING:
        // A tab beside the value is whitespace to some parsers and part of the value to others.
        if (this.isChunked || !line.isChunked() || line.hasTab()) return 'unclear Transfer-Encoding';
        this.isChunked = true;
        return '';
      case CONNECTION:
        return this.connection.add(line.value()) ? '' : 'too many names in Connection';
      case UPGRADE:
        this.upgrade = line.value().toLowerCase();
        return '';
      case ALLOW_CREDENTIALS:
        this.allowsCredentials = true;
        return '';
      default:
        return '';
    }
  }

  /** Notes facts from a line that is copied anyway. */
  lookAt(meaning: number, line: HeaderLines): void {
    if (meaning === DATE) this.hasDate = true;
    else if (meaning === CONTENT_TYPE) this.isEventStream = isEventStream(line);
    else if (line.value() === '*') this.allowsAnyOrigin = true;
  }
}

function isEventStream(line: HeaderLines): boolean {
  const type = 'text/event-stream';
  const end = line.valueFrom + type.length;
  if (line.valueTo < end || line.text.slice(line.valueFrom, end).toLowerCase() !== type) return false;
  return line.valueTo === end || /\W/.test(line.text.charAt(end));
}

const names = nameTable(
  [
    ...new Map<string, number>([
      ...[...hopByHop, ...beyondHost, 'x-request-id', 'x-trace-id'].map((name): [string, number] => [name, DROP]),
      ['transfer-encoding', TRANSFER_ENCODING],
      ['content-length', CONTENT_LENGTH],
      ['connection', CONNECTION],
      ['upgrade', UPGRADE],
      ['set-cookie', SET_COOKIE],
      ['access-control-allow-origin', ALLOW_ORIGIN],
      ['access-control-allow-credentials', ALLOW_CREDENTIALS],
      ['date', DATE],
      ['content-type', CONTENT_TYPE],
    ]),
  ],
  proxyOrders,
  false,
);
const lines = new HeaderLines(names);

/**
 * Parses the head of an agent's response, without the empty line at its end, into `head`: in one pass and linear time. Strict where two
 * parsers could differ: no bare CR or LF, no folded lines, one framing only. Returns what is wrong, or ''.
 * @param host of the request, for the cookies
 */
export function readAnswerHead(text: string, { limits, host }: { limits: Limits; host: string }, head: AnswerHead): string {
  const headersFrom = readStatusLine(text, head);
  if (headersFrom < 0) return 'not a status line';
  head.clear();
  lines.start(text, headersFrom);
  let keptFrom = headersFrom;
  let kept = '';
  for (let count = 1; ; count++) {
    const meaning = lines.advance();
    if (meaning === END) break;
    if (meaning === BROKEN) return 'not a header line';
    if (count > limits.answerHeaderCount) return 'too many headers';
    if (meaning === KEEP) continue;
    if (meaning >= firstLookedAt) {
      head.lookAt(meaning, lines);
      continue;
    }
    const own = meaning === SET_COOKIE ? changedCookie(lines, host) : '';
    if (own === undefined) continue;
    const problem = head.take(meaning, lines);
    if (problem !== '') return problem;
    if (lines.from > keptFrom) kept += text.slice(keptFrom, lines.from);
    kept += own;
    keptFrom = lines.next;
  }
  if (keptFrom < text.length) kept += `${text.slice(keptFrom)}\r\n`;
  if (head.isChunked && head.length >= 0) return 'Content-Length beside Transfer-Encoding';
  if (head.isChunked && head.minor === 0) return 'chunks in HTTP/1.0';
  const named = head.connection.names;
  head.kept = named === undefined ? kept : withoutNamed(kept, named);
  // Credentials never go with a wildcard origin.
  if (head.allowsCredentials && !head.allowsAnyOrigin) head.kept += 'Access-Control-Allow-Credentials: true\r\n';
  return '';
}

/** Parses HTTP/1.0 or HTTP/1.1, a space, three digits, and optionally a space and a reason. Returns where the headers begin, or -1. */
function readStatusLine(text: string, head: AnswerHead): number {
  const minor = text.charCodeAt(7) - 48;
  if (!text.startsWith('HTTP/1.') || (minor !== 0 && minor !== 1) || text.charCodeAt(8) !== SPACE) return -1;
  const status = threeDigits(text, 9);
  if (status < 100) return -1;
  let at = 12;
  if (at < text.length && text.charCodeAt(at) === SPACE) while (at < text.length && (kinds[text.charCodeAt(at)]! & VALUE) !== 0) at += 1;
  head.status = status;
  head.minor = minor;
  // The space belongs to the line even without a reason.
  head.statusText = at === 12 ? `${text.slice(9, at)} ` : text.slice(9, at);
  if (at === text.length) return at;
  return text.charCodeAt(at) === CR && text.charCodeAt(at + 1) === LF ? at + 2 : -1;
}

function threeDigits(text: string, from: number): number {
  let number = 0;
  for (let at = from; at < from + 3; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return -1;
    number = number * 10 + digit;
  }
  return number;
}

/** The rewritten line of a cookie that reaches beyond the host; undefined for a cookie that stays unchanged. */
function changedCookie(line: HeaderLines, host: string): string | undefined {
  const cookie = line.value();
  const own = cookieForHost(cookie, host);
  return own === cookie ? undefined : `Set-Cookie: ${own}\r\n`;
}
