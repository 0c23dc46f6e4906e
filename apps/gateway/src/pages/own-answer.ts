import { STATUS_CODES } from 'node:http';
import { dateLine } from '../heads/date-line.ts';

/** A response that the gateway itself creates. */
export interface OwnAnswer {
  status: number;
  /** Name, value, name, value …; all headers but Date and Connection. */
  headers: readonly string[];
  body: string;
}

/** Serialises a response for the wire. For HEAD the body is omitted. */
export function ownAnswerText(answer: OwnAnswer, { isHead, connection }: { isHead: boolean; connection: string | undefined }): string {
  let text = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}\r\n`;
  for (let i = 0; i < answer.headers.length; i += 2) text += `${answer.headers[i]!}: ${answer.headers[i + 1]!}\r\n`;
  text += dateLine();
  if (connection !== undefined) text += `Connection: ${connection}\r\n`;
  return isHead ? `${text}\r\n` : `${text}\r\n${answer.body}`;
}

/** The health check does not wait for the database: the gateway forwards requests without it. */
export function healthAnswer(isReady: boolean, gatewayPid: number): OwnAnswer {
  const body = isReady ? 'ok\n' : 'not ready\n';
  const who = ['X-Gateway-Process', String(gatewayPid)];
  const headers = ['Content-Type', 'text/plain', 'Content-Length', String(body.length), 'Cache-Control', 'no-store', ...who];
  return { status: isReady ? 200 : 503, headers, body };
}
