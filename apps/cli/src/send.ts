import { type ApiRequest, type Client, createClient, type Send } from '@paddock/client';
import { parseAnswer } from '@paddock/client/answer';
import { streamLines } from '@paddock/client/stream-lines';
import { contract } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { ToolError } from './failures.ts';
import { notPaddock, unreachable } from './unreachable.ts';
import { type Answer, uploadForm } from './upload.ts';

export type Api = Client<typeof contract>;

/** The longest response is that of the long poll for changes: 25 s. */
const answerMs = 40_000;
/** A whole upload over a slow connection. A silent one is aborted much earlier. */
const uploadMs = 20 * 60_000;
/** An agent may take two minutes to answer. */
const streamMs = 180_000;

export interface Caller {
  token: string | undefined;
  /** Version of the CLI. */
  version: string;
  signal: AbortSignal;
}

/** The API of a server. The key is sent only in the Authorization header. */
export const apiOf = (origin: string, caller: Caller): Api => createClient(contract, sendTo(origin, caller));

const sendTo =
  (origin: string, { token, version, signal: until }: Caller): Send =>
  async (request, options) => {
    const headers: Record<string, string> = { accept: 'application/json', 'user-agent': `paddock-cli/${version}` };
    if (token) headers['authorization'] = `Bearer ${token}`;
    if (options.idempotency_key) headers['idempotency-key'] = options.idempotency_key;
    if (options.if_match) headers['if-match'] = options.if_match;
    const url = new URL(`/api/v1${request.url}`, origin);
    const limits = [until, AbortSignal.timeout(longest(request))];
    if (options.signal) limits.push(options.signal);
    const signal = AbortSignal.any(limits);
    const { status, header, text, file, body } = request.form
      ? await uploadForm(url, { headers, form: request.form }, { ...options, signal })
      : await sendJson(url, { method: request.method, headers, signal }, request);
    if (body) return streamLines(body, signal);
    if (status >= 300 && status < 400) throw redirected(origin, header('location'));
    refuseStranger(origin, { status, header });
    return parseAnswer({ status, header, text, file });
  };

/** Refuses HTML, with which a proxy or another program answers. A Paddock server answers each call with JSON, a file or nothing. */
function refuseStranger(origin: string, { status, header }: Pick<Answer, 'status' | 'header'>): void {
  if (header('content-type')?.startsWith('text/html'))
    throw new ApiError(status >= 500 ? 'unavailable' : 'internal', { status, detail: notPaddock(origin, status) });
}

function longest({ form, stream }: ApiRequest): number {
  if (form) return uploadMs;
  return stream ? streamMs : answerMs;
}

/** The response as text, the file of a download, or the body of a successful stream as it arrives. */
export async function sendJson(
  url: URL,
  init: RequestInit & { headers: Record<string, string> },
  { body, stream, download }: Pick<ApiRequest, 'body' | 'stream'> & Partial<Pick<ApiRequest, 'download'>>,
): Promise<Answer> {
  if (body !== undefined) {
    init.headers['content-type'] = 'application/json';
    init.body = JSON.stringify(body);
  }
  try {
    // A redirect is an error and is not followed: the key is for the given address.
    const answer = await fetch(url, { ...init, redirect: 'manual' });
    const told = { status: answer.status, header: (name: string) => answer.headers.get(name) };
    if (stream && answer.ok && answer.body) return { ...told, text: '', body: answer.body };
    if (answer.ok && download === 'bytes') return { ...told, text: '', file: new Uint8Array(await answer.arrayBuffer()) };
    const text = await answer.text();
    return answer.ok && download ? { ...told, text, file: text } : { ...told, text };
  } catch (cause) {
    if (init.signal?.aborted && (init.signal.reason as Error).name !== 'TimeoutError') throw init.signal.reason;
    throw unreachable(url.origin, cause);
  }
}

/** The error for a redirect, which is not followed. It names the target. */
export function redirected(origin: string, to: string | null) {
  const target = to && URL.canParse(to, origin) ? new URL(to, origin).origin : null;
  const hint = target && target !== origin ? ` Use --url ${target} if you trust it.` : '';
  return new ToolError('redirected', `${origin} sends callers elsewhere instead of answering.${hint}`);
}
