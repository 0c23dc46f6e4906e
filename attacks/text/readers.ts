// The functions of the gateway and the server that read strangers' text on a loop that serves everybody. A new one gets its line here.
import type { IncomingMessage } from 'node:http';
import { visitorHeaders } from '../../apps/gateway/src/answer-head.ts';
import { clientReader } from '../../apps/gateway/src/client-address.ts';
import { addConnectionNames } from '../../apps/gateway/src/connection-names.ts';
import { hostReader } from '../../apps/gateway/src/host.ts';
import { limits } from '../../apps/gateway/src/limits.ts';
import { wantedForm } from '../../apps/gateway/src/pages.ts';
import { readRequest, requestIdOf, upstreamHead } from '../../apps/gateway/src/request-head.ts';
import { originForm } from '../../apps/gateway/src/request-target.ts';
import { cookieForHost } from '../../apps/gateway/src/set-cookie.ts';
import { isTraceparent } from '../../apps/gateway/src/traceparent.ts';
import { chunkedBody } from '../../apps/gateway/src/upstream/answer-body.ts';
import { type AnswerHead, answerParser } from '../../apps/gateway/src/upstream/answer-parser.ts';
import { isWellFormed } from '../../apps/server/src/features/api-keys/key-form.ts';
import { targetOf } from '../../apps/server/src/features/databases/byo/byo-url.ts';
import { agentLevel, buildLevel } from '../../apps/server/src/features/logs/levels.ts';
import { splitLines } from '../../apps/server/src/features/logs/split.ts';
import { bearerToken } from '../../apps/server/src/http/authenticate.ts';
import { readCursor } from '../../apps/server/src/http/cursor.ts';
import { ambiguity } from '../../apps/server/src/http/strict.ts';
import { unstorable } from '../../apps/server/src/http/text.ts';
import { layOut } from '../../apps/server/src/mail/layout.ts';
import { greeting } from '../../apps/server/src/mail/texts/part.ts';
import { loggedUrl } from '../../packages/contract/src/logged-url.ts';
import { parseEnv } from '../../packages/contract/src/parse-env.ts';
import { projectNameProblem, variableKeyProblem } from '../../packages/contract/src/rules.ts';
import { colouredText, plainText } from '../../packages/contract/src/terminal-text.ts';
import { encryptionOf } from '../../packages/database/src/secure.ts';
import { lastWords } from '../../packages/database-driver/src/process/last-words.ts';
import { closedKind, networkList, networkOf, parseNetwork, plainAddress } from '../../packages/network/src/index.ts';
import { lineSplitter } from '../../packages/runtime/src/process/output/lines.ts';

const host = 'agent.example.com';
const readHost = hostReader('example.com');
const trusted = networkList(['10.0.0.0/8']);
const clients = clientReader(trusted);
// Without the caps: growth shows at sizes that the gateway refuses before.
const uncapped = {
  ...limits,
  headBytes: 1e9,
  uriBytes: 1e9,
  answerHeadBytes: 1e9,
  chunkLineBytes: 1e9,
  answerHeaderCount: 1e9,
  headerCount: 1e9,
};

const requestWith = (rawHeaders: string[], url = '/') =>
  ({ method: 'GET', url, rawHeaders, headers: {}, httpVersionMajor: 1, httpVersionMinor: 1 }) as unknown as IncomingMessage;
const answerWith = (headers: string[]): AnswerHead => ({
  status: 200,
  reason: '',
  headers,
  connectionNames: new Set(),
  upgrade: undefined,
  length: undefined,
  isEventStream: false,
});
const nothing = () => undefined;
const parserOf = () => answerParser({ method: 'GET', upgrades: false }, uncapped, { head: nothing, body: nothing, end: nothing });

function passOn(headers: string[]) {
  const request = requestWith(['Host', host, ...headers]);
  const facts = readRequest(request, uncapped);
  if (typeof facts === 'string') return;
  const client = clients.read('10.0.0.1', facts.forwardedFor, facts.forwardedProto);
  upstreamHead(request, facts, { client, requestId: requestIdOf(facts, client), webSocket: false });
}

/** In pieces as small as an agent may send them. */
function inPieces(text: string, bytes: number) {
  const parser = parserOf();
  const whole = Buffer.from(`HTTP/1.1 200 OK\r\nX: ${text.replace(/[\r\n]/g, ' ')}`, 'latin1');
  for (let at = 0; at < whole.length; at += bytes) parser.feed(whole.subarray(at, at + bytes));
}

export const readers: Record<string, (text: string) => unknown> = {
  'gateway: Set-Cookie': (text) => cookieForHost(text, host),
  'gateway: host of a cookie': (text) => cookieForHost('a=1; Domain=b', text),
  'gateway: any header of an answer': (text) => visitorHeaders(answerWith(['Set-Cookie', text, text, text]), host, 'req_1'),
  'gateway: Connection': (text) => addConnectionNames(text, new Set()),
  'gateway: Host': readHost,
  'gateway: address': (text) => originForm('GET', text, host),
  'gateway: absolute address': (text) => originForm('GET', `http://${text}`, host),
  'gateway: traceparent': isTraceparent,
  'gateway: Accept': wantedForm,
  'gateway: X-Forwarded-For': (text) => clients.read('10.0.0.1', text, text),
  'gateway: headers of a request': (text) =>
    passOn(['Connection', text, 'X-Forwarded-For', text, 'X-Request-Id', text, 'Traceparent', text, 'Expect', text, text, text]),
  'gateway: framing of a request': (text) => passOn(['Content-Length', text, 'Transfer-Encoding', text]),
  'gateway: head of an answer': (text) =>
    parserOf().feed(Buffer.from(`HTTP/1.1 200 ${text}\r\n${text}: ${text}\r\nA:${text}\r\n\r\n`, 'latin1')),
  'gateway: head of an answer byte by byte': (text) => inPieces(text, 1),
  'gateway: head of an answer in small pieces': (text) => inPieces(text, 7),
  'gateway: chunk line': (text) => chunkedBody(uncapped).read(Buffer.from(`${text}\r\n`, 'latin1'), nothing),
  'gateway: chunk extension': (text) => chunkedBody(uncapped).read(Buffer.from(`1;a="${text}\r\n`, 'latin1'), nothing),
  'gateway: trailer': (text) => chunkedBody(uncapped).read(Buffer.from(`0\r\n${text}\r\n\r\n`, 'latin1'), nothing),
  'logs: level of a line': (text) => [agentLevel(text, 'stdout'), buildLevel(text)],
  'logs: lines of a chunk': (text) => splitLines(Buffer.from(text), false, false),
  'logs: lines of a step': (text) => {
    const lines = lineSplitter(nothing);
    for (let at = 0; at < text.length; at += 64) lines.push(Buffer.from(text.slice(at, at + 64)));
    lines.end();
  },
  'logs: text for a terminal': (text) => [plainText(text), colouredText(text)],
  'http: logged address': (text) => [loggedUrl(text), loggedUrl(`/?${text}`)],
  'http: what two servers could read differently': (text) =>
    ambiguity(requestWith(['Host', text, 'Transfer-Encoding', text], `http://${text}`)),
  'http: text that cannot be stored': (text) => unstorable({ a: [text, { [text]: text }] }),
  'http: cursor': (text) => readCursor(text),
  'http: cursor of text': (text) => readCursor(Buffer.from(text).toString('base64url')),
  'network: addresses': (text) => [networkOf(text), plainAddress(`::ffff:${text}`), parseNetwork(text), closedKind(text, trusted)],
  'http: bearer token': (text) => [bearerToken(text), bearerToken(`Bearer ${text}`)],
  'api keys: form': (text) => [isWellFormed(text), isWellFormed(`pk_live_${text}`)],
  'mail: greeting and layout': (text) => [
    greeting(text),
    layOut({ subject: text, parts: [text, { facts: [[text, text]] }] } as never, 'http://a'),
  ],
  'databases: URL of PostgreSQL': (text) => targetOf('postgresql', `postgres://${text}`, 'a'),
  'databases: parameters': (text) => targetOf('postgresql', `postgres://a:b@c/d?${text}`, 'a'),
  'databases: URL of Redis': (text) => targetOf('redis', text, 'a'),
  'databases: encryption': (text) => encryptionOf(`postgres://a?${text}`),
  'databases: last words': lastWords,
  'variables: .env': parseEnv,
  'rules: names': (text) => [projectNameProblem(text), variableKeyProblem(text)],
};
