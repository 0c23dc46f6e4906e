import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type StripeEvent, stripeBooks } from './books.ts';
import { calls, type Form, StripeAnswer } from './calls.ts';
import { servePage } from './pages.ts';

/**
 * Faults of a request. `silent`: nothing is done, and the connection breaks. `lost`: it is done, and the response is lost. `failed`, `failed
 * after`: 500 without or after doing it, which is repeated under the same key. `busy`: 429. `hangs`: no response until the client times out.
 */
export type Fault = 'silent' | 'lost' | 'failed' | 'failed after' | 'busy' | 'hangs' | 'garbage' | 'huge' | 'elsewhere';
export interface StripeRequest {
  method: string;
  path: string;
  form: Form;
  key: string | undefined;
  version: string | undefined;
}
interface Answer {
  status: number;
  body: string;
}

export const stripeKeys = { secret_key: 'sk_test_canary51Hsecretkey', webhook_secret: 'whsec_canarywebhooksecret' };

/** Stripe's endpoints at the wire: forms in, JSON out, idempotency as documented, pages that can be visited, signed events. */
export async function startStripe(t: { after: (end: () => Promise<unknown>) => unknown }, { isLive = false } = {}) {
  const books = stripeBooks(isLive);
  const requests: StripeRequest[] = [];
  const faults: { what: RegExp; fault: Fault; times: number }[] = [];
  /** Responses by key, stored for every started request, whatever its outcome. */
  const answers = new Map<string, Answer & { asked: string }>();
  let isKeyKnown = true;

  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  async function serve(request: IncomingMessage, response: ServerResponse) {
    if (servePage(books, request, response)) return;
    const url = new URL(request.url ?? '', origin);
    const path = url.pathname.replace(/^\/v1\//, '');
    const body = await bodyOf(request);
    const asked: StripeRequest = {
      method: request.method ?? '',
      path,
      form: formOf(body || url.search.slice(1)),
      key: headerOf(request, 'idempotency-key'),
      version: headerOf(request, 'stripe-version'),
    };
    requests.push(asked);
    if (!isKeyKnown || request.headers.authorization !== `Bearer ${isLive ? liveKey : stripeKeys.secret_key}`)
      return send(response, problem(401, 'invalid_request_error', 'Invalid API Key provided: sk_test_********************tkey'));
    const fault = takeFault(`${asked.method} ${path}`);
    if (fault === 'silent') return void response.destroy();
    if (fault === 'hangs') return;
    if (fault === 'busy') return send(response, problem(429, 'invalid_request_error', 'Too many requests', 'lock_timeout'));
    if (fault === 'garbage') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>welcome</html>');
    if (fault === 'huge') return void response.writeHead(200).end(`"${'x'.repeat(10_000_000)}"`);
    if (fault === 'elsewhere') return void response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
    const answer = once(asked, body, () => (fault === 'failed' ? broken : answerTo(asked, fault)));
    if (fault === 'lost') return void response.destroy();
    return send(response, answer);
  }

  /** The same response for the same key, including failures; a different request under it is refused. */
  function once({ key, path }: StripeRequest, body: string, work: () => Answer): Answer & { isRepeat?: boolean } {
    if (key === undefined) return work();
    const asked = `${path} ${body}`;
    const before = answers.get(key);
    if (before && before.asked !== asked)
      return problem(
        400,
        'idempotency_error',
        'Keys for idempotent requests can only be used with the same parameters they were first used with.',
      );
    if (before) return { ...before, isRepeat: true };
    const answer = work();
    answers.set(key, { ...answer, asked });
    return answer;
  }

  function answerTo({ method, path, form }: StripeRequest, fault: Fault | undefined): Answer {
    const parts = path.split('/');
    const name = path.startsWith('checkout/') ? path : parts.map((part, index) => (index === 1 ? ':id' : part)).join('/');
    const call = calls[`${method} ${name}`];
    if (!call) return problem(404, 'invalid_request_error', `Unrecognized request URL (${method}: /v1/${path}).`);
    try {
      const result = JSON.stringify(call(books, { path: parts, form }, origin));
      return fault === 'failed after' ? broken : { status: 200, body: result };
    } catch (error) {
      if (!(error instanceof StripeAnswer)) throw error;
      return fault === 'failed after' ? broken : { status: error.status, body: JSON.stringify({ error: error.problem }) };
    }
  }

  function takeFault(name: string): Fault | undefined {
    const found = faults.find(({ what, times }) => times > 0 && what.test(name));
    if (found) found.times -= 1;
    return found?.fault;
  }

  return {
    origin,
    books,
    requests,
    settings: { ...stripeKeys, ...(isLive ? { secret_key: liveKey } : {}), api_url: origin },
    /** The next requests whose method and path match fail with this fault. */
    fail: (what: RegExp, fault: Fault, times = 1) => faults.push({ what, fault, times }),
    mend: () => void faults.splice(0),
    /** Expires the idempotency keys, as after a day. */
    forgetKeys: () => answers.clear(),
    revokeKey: () => {
      isKeyKnown = false;
    },
    restoreKey: () => {
      isKeyKnown = true;
    },
    visit: (url: string) => fetch(url, { redirect: 'manual' }),
  };
}
export type StripeStandIn = Awaited<ReturnType<typeof startStripe>>;

const liveKey = 'sk_live_canary51Hsecretkey';
const problem = (status: number, type: string, message: string, code?: string): Answer => ({
  status,
  body: JSON.stringify({ error: { type, message, ...(code ? { code } : {}) } }),
});
const broken = problem(500, 'api_error', 'An unexpected error occurred.');

/** Signs an event as documented by Stripe: HMAC-SHA256 of "TIME.BODY". */
export function signed(event: StripeEvent | object | string, { secret = stripeKeys.webhook_secret, at = new Date() } = {}) {
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  const seconds = Math.floor(at.getTime() / 1000);
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return { body, header: `t=${seconds},v1=${signature}` };
}

function send(response: ServerResponse, { status, body, isRepeat }: Answer & { isRepeat?: boolean }) {
  const headers = { 'content-type': 'application/json', 'request-id': 'req_stand_in', 'stripe-should-retry': 'false' };
  response.writeHead(status, { ...headers, ...(isRepeat ? { 'idempotent-replayed': 'true' } : {}) }).end(body);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** `a[b]=c` as nested objects. */
function formOf(body: string): Form {
  const form: Form = {};
  for (const [name, value] of new URLSearchParams(body)) {
    const path = name.split('[').map((part) => part.replace(/\]$/, ''));
    const last = path.pop() ?? '';
    let place = form;
    for (const part of path) {
      const inner = typeof place[part] === 'object' ? place[part] : {};
      place[part] = inner;
      place = inner;
    }
    place[last] = value;
  }
  return form;
}
