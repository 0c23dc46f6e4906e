import type { AnswerHead } from './upstream/answer-parser.ts';

// Hop-by-hop and framing headers end here; the platform's own names are not an agent's to say.
const dropped = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'x-request-id',
  'http2-settings',
]);

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
    if (dropped.has(name) || name.startsWith('paddock-') || name.startsWith('x-paddock-') || answer.connectionNames.includes(name))
      continue;
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

/** Without Domain a cookie goes to the host that set it and nowhere else. */
function cookieForHost(cookie: string, host: string): string {
  if (!/;\s*domain\s*=/i.test(cookie)) return cookie;
  const own = host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
  return cookie
    .split(';')
    .filter((part, index) => {
      const domain = index > 0 && /^\s*domain\s*=\s*"?\.?([^"]*?)"?\s*$/i.exec(part);
      return !domain || domain[1]!.toLowerCase() === own;
    })
    .join(';');
}
