import { Chunks } from '../../apps/gateway/src/bodies/chunks.ts';
import { Stash } from '../../apps/gateway/src/bodies/stash.ts';
import { AnswerHead, readAnswerHead } from '../../apps/gateway/src/heads/answer-head.ts';
import { BrokenStart } from '../../apps/gateway/src/heads/broken-start.ts';
import { addConnectionNames, ConnectionOptions, withoutNamed } from '../../apps/gateway/src/heads/connection-names.ts';
import { HeadFinder } from '../../apps/gateway/src/heads/head-finder.ts';
import { headerValue } from '../../apps/gateway/src/heads/header-value.ts';
import { RequestHead, readRequestHead } from '../../apps/gateway/src/heads/request-head.ts';
import { originForm } from '../../apps/gateway/src/heads/request-target.ts';
import { cookieForHost } from '../../apps/gateway/src/heads/set-cookie.ts';
import { isTraceparent } from '../../apps/gateway/src/heads/traceparent.ts';
import { forwardingLines, upstreamHead } from '../../apps/gateway/src/heads/upstream-head.ts';
import { visitorHead } from '../../apps/gateway/src/heads/visitor-head.ts';
import { type Limits, limits } from '../../apps/gateway/src/limits.ts';
import { pageRenderer, wantedForm } from '../../apps/gateway/src/pages/pages.ts';
import { clientReader } from '../../apps/gateway/src/relay/client-address.ts';
import { hostReader } from '../../apps/gateway/src/routes/host.ts';
import { FrameFollower } from '../../apps/gateway/src/web-sockets/frames.ts';
import { isSwitchFor, webSocketKey } from '../../apps/gateway/src/web-sockets/handshake.ts';
import { networkList } from '../../packages/network/src/index.ts';

const host = 'agent.example.com';
const readHost = hostReader('example.com');
const clients = clientReader(networkList(['10.0.0.0/8']));
const render = pageRenderer(undefined);
// The limits are off: growth shows at sizes that the gateway refuses earlier.
const uncapped = {
  ...limits,
  headBytes: 1e9,
  uriBytes: 1e9,
  answerHeadBytes: 1e9,
  chunkExtraBytes: 1e9,
  answerHeaderCount: 1e9,
  headerCount: 1e9,
};

const request = new RequestHead();
const answer = new AnswerHead();
const bytesOf = (text: string) => Buffer.from(text, 'latin1');
/** Untrusted text on one line, as part of a head that is read to its end. */
const inLine = (text: string) => text.replace(/[\r\n\0]/g, ' ');

/** Processes a request's head, from the text to the bytes that the agent receives. */
export function passOn(text: string, caps: Limits = uncapped): void {
  if (readRequestHead(text, caps, request) !== '') return;
  readHost(request.host);
  webSocketKey(request, text);
  const client = clients.read('10.0.0.1', headerValue(text, 'x-forwarded-for'), headerValue(text, 'x-forwarded-proto'));
  const own = {
    forwarding: forwardingLines(client),
    requestId: 'req_1',
    host_header: null,
    traceparent: request.traceparent,
    isWebSocket: false,
  };
  bytesOf(upstreamHead(request, client, own));
}

/** Processes a response's head, from the text to the bytes that the visitor receives. */
export function giveBack(text: string, caps: Limits = uncapped): void {
  if (readAnswerHead(text, { limits: caps, host }, answer) !== '') return;
  isSwitchFor('key', answer, text);
  bytesOf(visitorHead(answer, { isChunked: false, requestId: 'req_1', traceId: 't', connection: undefined }));
}

const requestWith = (lines: string) => passOn(`GET / HTTP/1.1\r\nHost: ${host}\r\n${lines}`);
const answerWith = (lines: string) => giveBack(`HTTP/1.1 200 OK\r\n${lines}`);

/** Reads a head in pieces as small as a client may send them, and keeps them until it is complete. */
function findInPieces(text: string, pieceBytes: number): void {
  const [finder, start, stash] = [new HeadFinder(), new BrokenStart(), new Stash()];
  const whole = bytesOf(`GET / HTTP/1.1\r\nX: ${inLine(text)}`);
  for (let at = 0; at < whole.length; at += pieceBytes) {
    stash.add(whole, at, Math.min(whole.length, at + pieceBytes));
    finder.find(stash.bytes, stash.from, stash.to);
    start.isBroken(stash.bytes, stash.from, stash.to);
  }
}

function readChunks(text: string, { pieceBytes = Number.POSITIVE_INFINITY, keepsFraming = true } = {}): void {
  const chunks = new Chunks({ maxExtras: uncapped.chunkExtraBytes, keepsFraming, taker: () => undefined });
  const whole = bytesOf(text);
  for (let at = 0; at < whole.length; at += pieceBytes) if (chunks.read(whole, at, Math.min(whole.length, at + pieceBytes)) < 0) return;
}

/** Fills the stash byte by byte and drops a byte from its start now and then. */
function growStash(text: string): void {
  const stash = new Stash();
  const bytes = bytesOf(text);
  for (let at = 0; at < bytes.length; at++) {
    stash.add(bytes, at, at + 1);
    if (bytes[at] === 97) stash.dropTo(stash.from + 1);
  }
}

function followFrames(text: string): void {
  const frames = new FrameFollower();
  const bytes = bytesOf(text);
  frames.read(bytes, 0, bytes.length);
  for (let at = 0; at < bytes.length; at++) frames.read(bytes, at, at + 1);
}

/** A line for each character, each named by Connection. */
const linesOf = (text: string) => Array.from(inLine(text), (letter) => `${letter}: a\r\n`).join('');

export const gatewayReaders: Record<string, (text: string) => unknown> = {
  'gateway: Set-Cookie': (text) => cookieForHost(text, host),
  'gateway: Set-Cookie of attributes': (text) => cookieForHost(`a=b;${text}`.replaceAll('a', ';domain='), host),
  'gateway: host of a cookie': (text) => cookieForHost('a=1; Domain=b', text),
  'gateway: any header of an answer': (text) =>
    answerWith(['Set-Cookie', 'Content-Type', 'Connection', 'Date', 'Upgrade', 'X'].map((name) => `${name}: ${inLine(text)}\r\n`).join('')),
  'gateway: Connection': (text) => [addConnectionNames(text, new Set()), new ConnectionOptions().add(text)],
  'gateway: lines that Connection names': (text) => withoutNamed(linesOf(text), new Set(['a', ' '])),
  'gateway: Host': readHost,
  'gateway: address': (text) => originForm('GET', text, host),
  'gateway: absolute address': (text) => originForm('GET', `http://${text}`, host),
  'gateway: traceparent': isTraceparent,
  'gateway: Accept': wantedForm,
  'gateway: a page that names the host': (text) => render('agent_not_found', 'html', { requestId: text, traceId: '', host: text }),
  'gateway: X-Forwarded-For': (text) => clients.read('10.0.0.1', text, text),
  'gateway: one header of a head': (text) => [
    headerValue(text, 'x'),
    headerValue(`GET /\r\n${text}`, 'a'),
    headerValue(`\r\nx: ${text}`, 'x'),
  ],
  'gateway: head of a request': (text) => passOn(text),
  'gateway: request line': (text) => passOn(`${text} ${text} HTTP/1.1\r\nHost: ${host}`),
  'gateway: header lines of a request': requestWith,
  'gateway: tiny header lines of a request': (text) => requestWith(linesOf(text)),
  'gateway: headers of a request': (text) =>
    requestWith(
      ['Connection', 'X-Forwarded-For', 'X-Request-Id', 'Traceparent', 'Tracestate', 'Expect', 'Upgrade', 'Sec-WebSocket-Key', 'X']
        .map((name) => `${name}: ${inLine(text)}\r\n`)
        .join(''),
    ),
  'gateway: framing of a request': (text) => [
    requestWith(`Content-Length: ${inLine(text)}\r\n`),
    requestWith(`Transfer-Encoding: ${inLine(text)}\r\n`),
  ],
  'gateway: head of an answer': (text) => giveBack(`HTTP/1.1 200 ${text}\r\n${text}: ${text}\r\nA:${text}`),
  'gateway: header lines of an answer': answerWith,
  'gateway: tiny header lines of an answer': (text) => answerWith(linesOf(text)),
  'gateway: a head in pieces of 1 byte': (text) => findInPieces(text, 1),
  'gateway: a head in pieces of 7 bytes': (text) => findInPieces(text, 7),
  'gateway: the beginning of no head': (text) => new BrokenStart().isBroken(bytesOf(text), 0, text.length),
  'gateway: bytes kept for later, one by one': growStash,
  'gateway: chunk sizes': (text) => readChunks(text),
  'gateway: chunk extension': (text) => [readChunks(`1;a="${text}`), readChunks(`1;${text}`), readChunks(`1;a=${text}`)],
  'gateway: trailers': (text) => [readChunks(`0\r\n${text}`), readChunks(`0\r\na: ${inLine(text)}\r\n\r\n`)],
  'gateway: chunks of 1 byte behind an extension': (text) => {
    const chunks = `1;a\r\nx\r\n${'1\r\nx\r\n'.repeat(text.length / 6)}`;
    readChunks(chunks);
    readChunks(chunks, { keepsFraming: false });
    readChunks(chunks, { pieceBytes: 1 });
  },
  'gateway: chunks of 2 bytes, each with an extension': (text) => readChunks('2;a=b\r\nxy\r\n'.repeat(text.length / 11)),
  'gateway: frames of a WebSocket': followFrames,
};
