import { isAgentHeaderDropped } from './agent-headers.ts';
import { cookieForHost } from './set-cookie.ts';
import type { AnswerHead } from './upstream/answer-parser.ts';

/**
 * The headers that the visitor receives: name, value, name, value … Cookies stay on the agent's own host (the
 * neighbours and the console share its parent domain), and credentials never go with a wildcard origin.
 */
export function visitorHeaders(answer: AnswerHead, host: string, requestId: string): string[] {
  const raw = answer.headers;
  const headers: string[] = [];
  let allowsAnyOrigin = false;
  let allowsCredentials = false;
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!.toLowerCase();
    if (isAgentHeaderDropped(name) || answer.connectionNames.has(name)) continue;
    let value = raw[i + 1]!;
    if (name === 'set-cookie') value = cookieForHost(value, host);
    else if (name === 'access-control-allow-origin') allowsAnyOrigin ||= value === '*';
    else if (name === 'access-control-allow-credentials') {
      allowsCredentials = true;
      continue;
    }
    headers.push(raw[i]!, value);
  }
  if (allowsCredentials && !allowsAnyOrigin) headers.push('Access-Control-Allow-Credentials', 'true');
  if (answer.length !== undefined && answer.status !== 204) headers.push('Content-Length', String(answer.length));
  headers.push('X-Request-Id', requestId);
  return headers;
}
