import { STATUS_CODES } from 'node:http';
import { dateLine } from '../heads/date-line.ts';

/** An answer of the gateway's own. */
export interface OwnAnswer {
  status: number;
  /** Name, value, name, value … complete but for Date and Connection. */
  headers: readonly string[];
  body: string;
}

/** As text for the wire. To HEAD the body is only announced. */
export function ownAnswerText(answer: OwnAnswer, { isHead, connection }: { isHead: boolean; connection: string | undefined }): string {
  let text = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}\r\n`;
  for (let i = 0; i < answer.headers.length; i += 2) text += `${answer.headers[i]!}: ${answer.headers[i + 1]!}\r\n`;
  text += dateLine();
  if (connection !== undefined) text += `Connection: ${connection}\r\n`;
  return isHead ? `${text}\r\n` : `${text}\r\n${answer.body}`;
}

/** Nothing here waits for the database: the gateway passes requests on without it. */
export function healthAnswer(isReady: boolean, gatewayPid: number): OwnAnswer {
  const body = isReady ? 'ok\n' : 'not ready\n';
  const who = ['X-Gateway-Process', String(gatewayPid)];
  const headers = ['Content-Type', 'text/plain', 'Content-Length', String(body.length), 'Cache-Control', 'no-store', ...who];
  return { status: isReady ? 200 : 503, headers, body };
}
