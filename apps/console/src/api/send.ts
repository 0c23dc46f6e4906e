import type { ApiRequest, Send } from '@paddock/client';
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

  const { status, header, text, file, body }: Sent = request.form
    ? await sendForm({ url, headers, form: request.form }, options)
    : await sendJson(url, { method: request.method, headers, signal }, request);
  if (body) return streamLines(body, options.signal);
  if (status === 401 && token) endSession(token, false);
  return parseAnswer({ status, header, text, file });
};

type Sent = {
  status: number;
  header: (name: string) => string | null;
  text: string;
  file?: string | Uint8Array;
  body?: ReadableStream<Uint8Array>;
};

/** The response as text, the file of a download, or the body itself of a streamed response. */
async function sendJson(
  url: string,
  init: RequestInit & { headers: Record<string, string> },
  { body, stream, download }: Pick<ApiRequest, 'body' | 'stream' | 'download'>,
): Promise<Sent> {
  if (body !== undefined) {
    init.headers['content-type'] = 'application/json';
    init.body = JSON.stringify(body);
  }
  try {
    const answer = await fetch(url, { ...init, credentials: 'omit', cache: 'no-store' });
    const told = { status: answer.status, header: (name: string) => answer.headers.get(name) };
    if (stream && answer.ok && answer.body) return { ...told, text: '', body: answer.body };
    if (answer.ok && download === 'bytes') return { ...told, text: '', file: new Uint8Array(await answer.arrayBuffer()) };
    const text = await answer.text();
    return answer.ok && download ? { ...told, text, file: text } : { ...told, text };
  } catch (cause) {
    // The caller aborted the request: this is not a network failure.
    if (init.signal?.aborted) throw cause;
    throw new ApiError('network', { cause });
  }
}
