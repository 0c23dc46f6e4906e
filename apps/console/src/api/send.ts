import type { Send } from '@paddock/client';
import { parseAnswer } from '@paddock/client/answer';
import { ApiError } from '@paddock/contract/errors';
import { sendForm } from './send-form.ts';
import { endSession, readSession } from './session.ts';

/** Carries a call over fetch, or over XMLHttpRequest where a file's progress is to be told. A 401 ends the session it was sent with. */
export const send: Send = async (request, options) => {
  const token = readSession()?.token;
  const headers: Record<string, string> = { accept: 'application/json' };
  if (token) headers.authorization = `Bearer ${token}`;
  if (options.idempotency_key) headers['idempotency-key'] = options.idempotency_key;
  const url = `/api/v1${request.url}`;
  const { signal = null } = options;

  const { status, header, text } = request.form
    ? await sendForm({ url, headers, form: request.form }, options)
    : await sendJson(url, { method: request.method, headers, signal }, request.body);
  if (status === 401 && token) endSession(token);
  return parseAnswer({ status, header, text, download: request.download });
};

async function sendJson(url: string, init: RequestInit & { headers: Record<string, string> }, body: unknown) {
  if (body !== undefined) {
    init.headers['content-type'] = 'application/json';
    init.body = JSON.stringify(body);
  }
  try {
    const answer = await fetch(url, { ...init, credentials: 'omit', cache: 'no-store' });
    return { status: answer.status, header: (name: string) => answer.headers.get(name), text: await answer.text() };
  } catch (cause) {
    // The caller cancelled: that is no network failure.
    if (init.signal?.aborted) throw cause;
    throw new ApiError('network', { cause });
  }
}
