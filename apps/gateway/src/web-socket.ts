import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RequestFacts } from './request-head.ts';
import type { AnswerHead } from './upstream/answer-parser.ts';

/** Close codes (RFC 6455): the gateway ends, or nobody has said anything for too long. A client may connect again. */
export const serviceRestart = 1012;
export const goingAway = 1001;

/** The key of a valid opening handshake (RFC 6455), else undefined. */
export function webSocketKey(req: IncomingMessage, facts: RequestFacts): string | undefined {
  const key = req.headers['sec-websocket-key'];
  const isValid =
    req.method === 'GET' &&
    req.httpVersionMinor === 1 &&
    facts.body === 'none' &&
    facts.connectionNames.has('upgrade') &&
    req.headers['sec-websocket-version'] === '13' &&
    key !== undefined &&
    /^[A-Za-z0-9+/]{22}==$/.test(key);
  return isValid ? key : undefined;
}

/** What an agent that really speaks the protocol answers to a key. */
function acceptOf(key: string): string {
  return createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
}

export function switchHead(headers: string[]): string {
  let head = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';
  for (let i = 0; i < headers.length; i += 2) head += `${headers[i]!}: ${headers[i + 1]!}\r\n`;
  return `${head}\r\n`;
}

/** True if the agent switched to just the WebSocket that was asked for. */
export function isSwitchFor(key: string, answer: AnswerHead): boolean {
  const at = answer.headers.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'sec-websocket-accept');
  const accept = at < 0 ? undefined : answer.headers[at + 1];
  return answer.upgrade === 'websocket' && answer.connectionNames.has('upgrade') && accept === acceptOf(key);
}
