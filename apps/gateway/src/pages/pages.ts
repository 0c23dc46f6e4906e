import { createHash } from 'node:crypto';
import type { Route } from '../routes/route.ts';
import type { OwnAnswer } from './own-answer.ts';
import { ownResponses, type ResponseCode } from './own-responses.ts';

/** Renders the gateway's own responses: HTML for browsers, problem+json for everything else. */
export function pageRenderer(consoleUrl: string | undefined) {
  return (
    code: ResponseCode,
    wants: 'html' | 'json',
    { requestId, traceId, host, detail }: { requestId: string; traceId: string; host: string; detail?: string | undefined },
  ): OwnAnswer => {
    const answer = detail === undefined ? ownResponses[code] : { ...ownResponses[code], detail };
    const refreshS = 'refreshS' in answer ? answer.refreshS : undefined;
    const body =
      wants === 'html'
        ? html({ ...answer, refreshS, requestId, host, consoleUrl })
        : JSON.stringify({
            type: 'about:blank',
            title: answer.title,
            status: answer.status,
            detail: answer.detail,
            code,
            request_id: requestId,
          });
    const headers = ['Content-Type', wants === 'html' ? 'text/html; charset=utf-8' : 'application/problem+json'];
    headers.push('Content-Length', String(Buffer.byteLength(body)), 'Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff');
    headers.push('X-Request-Id', requestId, 'Referrer-Policy', 'no-referrer');
    if (traceId !== '') headers.push('X-Trace-Id', traceId);
    if (wants === 'html') headers.push('Content-Security-Policy', policy);
    if (refreshS !== undefined) headers.push('Retry-After', String(refreshS));
    if (code === 'method_not_allowed') headers.push('Allow', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
    return { status: answer.status, headers, body };
  };
}

/** The page for an address whose agent cannot be reached. */
export function pageFor(route: Route | undefined): ResponseCode {
  switch (route?.state) {
    case undefined:
      return 'agent_not_found';
    case 'elsewhere':
      return 'agent_elsewhere';
    case 'stopped':
      return 'agent_stopped';
    case 'crashed':
      return 'agent_crashed';
    default:
      return 'agent_starting';
  }
}

/** Browsers name text/html themselves; a program that accepts anything gets JSON. */
export function wantedForm(accept: string | undefined): 'html' | 'json' {
  return accept !== undefined && /\btext\/html\b/i.test(accept) ? 'html' : 'json';
}

// The post-and-rail look of the console: its tokens, its fence of two rails and posts, no script, nothing fetched.
const style = `
:root{color-scheme:light dark;--canvas:oklch(.978 .004 95);--surface:oklch(.995 .002 95);--border:oklch(.89 .008 95);--post:oklch(.62 .012 95);--text:oklch(.25 .015 230);--muted:oklch(.455 .016 230);--accent:oklch(.485 .078 200)}
@media (prefers-color-scheme:dark){:root{--canvas:oklch(.185 .012 225);--surface:oklch(.22 .013 225);--border:oklch(.31 .014 225);--post:oklch(.54 .016 225);--text:oklch(.94 .006 95);--muted:oklch(.76 .01 200);--accent:oklch(.79 .095 196)}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px 16px;background:var(--canvas);color:var(--text);font:16px/24px "Atkinson Hyperlegible Next",system-ui,sans-serif}
main{width:100%;max-width:560px}
h1{margin:0 0 12px;font-size:22px;line-height:28px;font-weight:640;letter-spacing:-.015em}
p{margin:0 0 16px;max-width:72ch}
.status{margin:0 0 4px;color:var(--muted);font-size:13px;line-height:20px}
.fence{height:16px;margin:0 0 20px;border-top:1px solid var(--post);background:linear-gradient(var(--post),var(--post)) 0 7px/100% 1px no-repeat,repeating-linear-gradient(90deg,var(--post) 0 1px,transparent 1px 80px)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 16px;margin:0 0 20px;padding:12px 16px;border:1px solid var(--border);border-radius:6px;background:var(--surface);font-size:13px;line-height:20px}
dt{color:var(--muted)}
dd{margin:0;overflow-wrap:anywhere;font-family:"Atkinson Hyperlegible Mono",ui-monospace,monospace}
a{color:var(--accent)}
a:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@media (forced-colors:active){.fence{background:none;border-color:CanvasText}}
`;
const styleHash = createHash('sha256').update(style).digest('base64');
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

function html(page: {
  status: number;
  title: string;
  detail: string;
  refreshS: number | undefined;
  requestId: string;
  host: string;
  consoleUrl: string | undefined;
}): string {
  const refresh = page.refreshS === undefined ? '' : `<meta http-equiv="refresh" content="${page.refreshS}">\n`;
  const host = page.host ? `<dt>Address</dt><dd>${escape(page.host)}</dd>` : '';
  const link = page.consoleUrl ? `<p><a href="${escape(page.consoleUrl)}">Open the console</a></p>\n` : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${refresh}<title>${escape(page.title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<p class="status">Paddock · ${page.status}</p>
<h1>${escape(page.title)}</h1>
<div class="fence" aria-hidden="true"></div>
<p>${escape(page.detail)}</p>
<dl>${host}<dt>Request</dt><dd>${escape(page.requestId)}</dd></dl>
${link}</main>
</body>
</html>
`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
