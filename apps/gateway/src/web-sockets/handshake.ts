import { createHash } from 'node:crypto';
import type { AnswerHead } from '../heads/answer-head.ts';
import { headerValue } from '../heads/header-value.ts';
import type { RequestHead } from '../heads/request-head.ts';

/** Close codes (RFC 6455): the gateway exits, or both sides were silent for too long. A client may reconnect. */
export const serviceRestart = 1012;
export const goingAway = 1001;

/** The key of a valid opening handshake (RFC 6455), else undefined. */
export function webSocketKey(head: RequestHead, text: string): string | undefined {
  const key = headerValue(text, 'sec-websocket-key');
  const isValid =
    head.method === 'GET' &&
    head.minor === 1 &&
    !head.isChunked &&
    head.length <= 0 &&
    head.connection.has('upgrade') &&
    headerValue(text, 'sec-websocket-version') === '13' &&
    key !== undefined &&
    /^[A-Za-z0-9+/]{22}==$/.test(key);
  return isValid ? key : undefined;
}

/** The accept value that an agent speaking the protocol returns for a key. */
function acceptOf(key: string): string {
  return createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
}

/** True if the agent switched to exactly the requested WebSocket. */
export function isSwitchFor(key: string, answer: AnswerHead, text: string): boolean {
  return answer.upgrade === 'websocket' && answer.connection.has('upgrade') && headerValue(text, 'sec-websocket-accept') === acceptOf(key);
}
