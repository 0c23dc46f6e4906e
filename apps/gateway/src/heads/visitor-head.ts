import type { AnswerHead } from './answer-head.ts';
import { dateLine } from './date-line.ts';

/** The whole head that the visitor receives, ending with the empty line. */
export function visitorHead(
  answer: AnswerHead,
  own: { isChunked: boolean; requestId: string; traceId: string; connection: 'close' | 'keep-alive' | undefined },
): string {
  let head = `HTTP/1.1 ${answer.statusText}\r\n${answer.kept}`;
  if (!answer.hasDate) head += dateLine();
  if (own.isChunked) head += 'Transfer-Encoding: chunked\r\n';
  // Without a body the length is the one that the body would have had (HEAD, 304).
  else if (answer.length >= 0 && answer.status !== 204) head += `Content-Length: ${answer.length}\r\n`;
  head += `X-Request-Id: ${own.requestId}\r\nX-Trace-Id: ${own.traceId}\r\n`;
  return own.connection === undefined ? `${head}\r\n` : `${head}Connection: ${own.connection}\r\n\r\n`;
}

/** The head for the visitor after the agent has switched to the requested WebSocket. */
export const switchHead = (answer: AnswerHead, { requestId, traceId }: { requestId: string; traceId: string }): string =>
  `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${answer.kept}X-Request-Id: ${requestId}\r\nX-Trace-Id: ${traceId}\r\n\r\n`;
