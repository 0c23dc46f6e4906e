import type { Send } from '@paddock/client';
import { parseAnswer } from '@paddock/client/answer';
import { streamLines } from '@paddock/client/stream-lines';
import { ApiError } from '@paddock/contract/errors';
import { sendForm } from './send-form.ts';
import { endSession, readSession } from './session.ts';

/**
 * Sends a call with fetch, or with XMLHttpRequest for uploads, which report progress. A 401 ends the session that the call was sent with.
 */
export const send: Send = async (request, options) => {
  const token = readSession()?.token;
  const headers: Record<string, string> = { accept: 'application/json' };
  if (token) headers.authorization = `Bearer ${token}`;
  if (options.idempotency_key) headers['idempotency-key'] = options.idempotency_key;
  if (options.if_match) headers['if-match'] = options.if_match;
  const url = `/api/v1${request.url}`;
  const { signal = null } = options;

  const { status, header, text, body }: Sent = request.form
    ? await sendForm({ url, headers, form: request.form }, options)
    : await sendJson(url, { method: request.method, headers, signal }, request);
  if (body) return streamLines(body, options.signal);
  if (status === 401 && token) endSession(token);
  return parseAnswer({ status, header, text, download: request.download });
};

type Sent = { status: number; header: (name: string) => string | null; text: string; body?: ReadableStream<Uint8Array> };

/** The response as text, or the body itself of a streamed response. */
async function sendJson(
  url: string,
  init: RequestInit & { headers: Record<string, string> },
  { body, stream }: { body?: unknown; stream: boolean },
): Promise<Sent> {
  if (body !== undefined) {
    init.headers['content-type'] = 'application/json';
    init.body = JSON.stringify(body);
  }
  try {
    const answer = await fetch(url, { ...init, credentials: 'omit', cache: 'no-store' });
    const told = { status: answer.status, header: (name: string) => answer.headers.get(name) };
    if (stream && answer.ok && answer.body) return { ...told, text: '', body: answer.body };
    // An archive or a PDF is not text: each byte becomes one character, so none is lost.
    if (answer.ok && /^application\/(?:zip|pdf)$/.test(told.header('content-type') ?? ''))
      return { ...told, text: lettersOf(new Uint8Array(await answer.arrayBuffer())) };
    return { ...told, text: await answer.text() };
  } catch (cause) {
    // The caller aborted the request: this is not a network failure.
    if (init.signal?.aborted) throw cause;
    throw new ApiError('network', { cause });
  }
}

const lettersOf = (bytes: Uint8Array) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
