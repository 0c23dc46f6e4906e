import { parseAnswer } from '@paddock/client/answer';
import { ApiError } from '@paddock/contract/errors';
import { type Caller, redirected, sendJson } from './send.ts';
import { unreachable } from './unreachable.ts';

interface Download {
  /** The server's name for the file; undefined if there is no safe one. */
  fileName: string | undefined;
  /** Throws ApiError if the bytes break off, or none arrive for two minutes. */
  bytes: AsyncIterable<Uint8Array>;
  /** Aborts the call, if it is not over. */
  close(): void;
}

const silenceMs = 120_000;

/** A POST whose response is saved as its bytes arrive. Throws ApiError. */
export async function downloadFrom(origin: string, caller: Caller, request: { path: string; body: unknown }): Promise<Download> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new DOMException('Nothing came.', 'TimeoutError')), silenceMs);
  timer.unref(); // the call itself keeps the process alive
  const signal = AbortSignal.any([caller.signal, silence.signal]);
  const headers: Record<string, string> = { 'user-agent': `paddock-cli/${caller.version}` };
  if (caller.token) headers['authorization'] = `Bearer ${caller.token}`;
  const init = { method: 'POST', headers, signal };
  const { body, ...answer } = await sendJson(new URL(`/api/v1${request.path}`, origin), init, { body: request.body, stream: true });
  if (answer.status >= 300 && answer.status < 400) throw redirected(origin, answer.header('location'));
  if (!body) {
    parseAnswer({ ...answer, file: '' }); // throws the server's error
    throw new ApiError('internal', { detail: 'The answer of the server is empty.' });
  }
  async function* pieces(source: ReadableStream<Uint8Array>) {
    try {
      for await (const piece of source) {
        timer.refresh();
        yield piece;
      }
    } catch (cause) {
      if (caller.signal.aborted) throw caller.signal.reason;
      throw unreachable(origin, cause);
    }
  }
  return {
    fileName: /filename="([\w-][\w.-]{0,99})"/.exec(answer.header('content-disposition') ?? '')?.[1],
    bytes: pieces(body),
    close() {
      clearTimeout(timer);
      silence.abort();
    },
  };
}
