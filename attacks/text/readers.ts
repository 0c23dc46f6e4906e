// The functions of the server, the packages and (in `gatewayReaders`) the gateway that read untrusted text on a shared event loop. A new one
// gets its line here or there.
import type { IncomingMessage } from 'node:http';
import { isWellFormed } from '../../apps/server/src/features/api-keys/key-form.ts';
import { parseTarget } from '../../apps/server/src/features/databases/byo/byo-url.ts';
import { agentLevel, buildLevel } from '../../apps/server/src/features/logs/levels.ts';
import { splitLines } from '../../apps/server/src/features/logs/split-lines.ts';
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
import { parseEncryption } from '../../packages/database/src/secure.ts';
import { readLogTail } from '../../packages/database-driver/src/process/log-tail.ts';
import { closedKind, networkList, parseNetwork, plainAddress, toNetworkKey } from '../../packages/network/src/index.ts';
import { lineSplitter } from '../../packages/runtime/src/process/output/lines.ts';
import { gatewayReaders } from './gateway-readers.ts';

const trusted = networkList(['10.0.0.0/8']);
const requestWith = (rawHeaders: string[], url = '/') =>
  ({ method: 'GET', url, rawHeaders, headers: {}, httpVersionMajor: 1, httpVersionMinor: 1 }) as unknown as IncomingMessage;
const nothing = () => undefined;

export const readers: Record<string, (text: string) => unknown> = {
  ...gatewayReaders,
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
  'network: addresses': (text) => [toNetworkKey(text), plainAddress(`::ffff:${text}`), parseNetwork(text), closedKind(text, trusted)],
  'http: bearer token': (text) => [bearerToken(text), bearerToken(`Bearer ${text}`)],
  'api keys: form': (text) => [isWellFormed(text), isWellFormed(`pk_live_${text}`)],
  'mail: greeting and layout': (text) => [
    greeting(text),
    layOut({ subject: text, parts: [text, { facts: [[text, text]] }] } as never, 'http://a'),
  ],
  'databases: URL of PostgreSQL': (text) => parseTarget('postgresql', `postgres://${text}`, 'a'),
  'databases: parameters': (text) => parseTarget('postgresql', `postgres://a:b@c/d?${text}`, 'a'),
  'databases: URL of Redis': (text) => parseTarget('redis', text, 'a'),
  'databases: encryption': (text) => parseEncryption(`postgres://a?${text}`),
  'databases: last words': readLogTail,
  'variables: .env': parseEnv,
  'rules: names': (text) => [projectNameProblem(text), variableKeyProblem(text)],
};
