import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exitCodes, ToolError } from '../failures.ts';
import { page, pagePolicy } from './pages.ts';

const waitMs = 5 * 60_000;
const maxBodyBytes = 4096;
const keyForm = /^pk_[a-z]+_[A-Za-z0-9_-]{8,200}$/;

export interface KeyListener {
  /** The address to which the console sends the key. */
  callback: string;
  /** The first key that arrives with the right state. */
  key: Promise<string>;
  close(): void;
}

/**
 * Waits on 127.0.0.1 for a form post with an API key, for at most 5 minutes. A request with another state, shape or origin is refused, and
 * the wait continues: other programs may send requests, but only the opened page knows the state.
 */
export async function listenForKey(consoleOrigin: string, signal: AbortSignal, patienceMs = waitMs): Promise<KeyListener> {
  const state = randomBytes(32).toString('base64url');
  let give: (key: string) => void = () => undefined;
  const server = createServer(
    { maxHeaderSize: 8192, headersTimeout: 5000, requestTimeout: 10_000, keepAlive: false },
    (request, response) => {
      answer(request, response).catch(() => response.destroy());
    },
  );
  server.maxConnections = 50;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  async function answer(request: IncomingMessage, response: ServerResponse) {
    response.setHeader('connection', 'close');
    if (request.headers.host !== `127.0.0.1:${port}`)
      return send(response, { status: 403, title: 'Refused', text: 'This address is for the paddock command line alone.' });
    if (new URL(request.url ?? '/', 'http://127.0.0.1').pathname !== '/callback')
      return send(response, { status: 404, title: 'Not here', text: 'There is nothing at this address.' });
    if (request.method !== 'POST')
      return send(response, { status: 405, title: 'Waiting', text: 'The command line waits for the key. Go back and press the button.' });
    const { origin } = request.headers;
    // The console sends no referrer, so browsers send its origin as null.
    if (origin !== undefined && origin !== 'null' && origin !== consoleOrigin)
      return send(response, { status: 403, title: 'Refused', text: 'The key came from another page than the one that was opened.' });
    if (!/^application\/x-www-form-urlencoded(;|$)/i.test(request.headers['content-type'] ?? '')) return refuse(response);
    const form = await readForm(request);
    const [given, other] = form?.getAll('state') ?? [];
    const keys = form?.getAll('api_key') ?? [];
    const key = keys[0];
    if (given === undefined || other !== undefined || !isSame(given, state)) return refuse(response);
    if (key === undefined || keys.length > 1 || !keyForm.test(key)) return refuse(response);
    await send(response, {
      status: 200,
      title: 'The command line has its key',
      text: 'You can close this page and go back to your terminal.',
    });
    give(key);
  }

  const close = () => {
    server.close();
    // The current response is sent first.
    setTimeout(() => server.closeAllConnections(), 500).unref();
  };
  const key = new Promise<string>((resolve, reject) => {
    give = resolve;
    const late = setTimeout(
      () =>
        reject(
          new ToolError('login_timeout', `Nobody confirmed the login within ${patienceMs / 60_000} minutes.`, { exit: exitCodes.failed }),
        ),
      patienceMs,
    );
    server.once('close', () => {
      clearTimeout(late);
      reject(new ToolError('interrupted', 'The wait for the browser has ended.', { exit: exitCodes.interrupted })); // unless the key has come
    });
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  key.then(close, close);
  return { callback: `http://127.0.0.1:${port}/callback?state=${state}`, key, close };
}

const refuse = (response: ServerResponse) =>
  send(response, {
    status: 400,
    title: 'Refused',
    text: 'This is not the answer that the command line waits for. Start again with: paddock login',
  });

interface Page {
  status: number;
  title: string;
  text: string;
}

async function send(response: ServerResponse, { status, title, text }: Page) {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': pagePolicy,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
  response.end(page(title, text));
  await once(response, 'close', { signal: AbortSignal.timeout(5000) });
}

/** The form; undefined if it is too long, and then the rest is not read. */
async function readForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

/** Compares in the same time for every wrong text. */
const isSame = (a: string, b: string) => timingSafeEqual(digest(a), digest(b));
const digest = (text: string) => createHash('sha256').update(text).digest();
