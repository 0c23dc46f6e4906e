import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import type { ApiRequest, CallOptions } from '@paddock/client';
import { ApiError } from '@paddock/contract/errors';
import { unreachable } from './unreachable.ts';

/** A connection that is idle for this long is lost. */
const idleMs = 60_000;
const maxAnswerBytes = 1024 * 1024;

export interface Answer {
  status: number;
  header: (name: string) => string | null;
  text: string;
  /** A download. */
  file?: string | Uint8Array;
  /** The rest of a stream. */
  body?: ReadableStream<Uint8Array>;
}

interface Upload {
  headers: Record<string, string>;
  form: NonNullable<ApiRequest['form']>;
}

/**
 * Sends a multipart form with one file and reports the share sent, which fetch cannot do. The length is announced, so that a server can
 * refuse the form before its bytes are sent. An early response ends the upload.
 */
export async function uploadForm(url: URL, { headers, form }: Upload, { signal, onProgress }: CallOptions): Promise<Answer> {
  const boundary = `paddock-${randomBytes(18).toString('hex')}`;
  const [head, tail] = envelope(form, boundary);
  const length = head.length + form.file.size + tail.length;
  const over = new AbortController();
  const request = (url.protocol === 'https:' ? https : http).request(url, {
    method: 'POST',
    timeout: idleMs,
    headers: { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': length },
    ...(signal ? { signal } : {}),
  });
  const answered = new Promise<Answer>((resolve, reject) => {
    request.once('response', (answer) => void readAnswer(answer).then(resolve, reject));
    request.on('error', (cause) => reject(signal?.aborted ? signal.reason : unreachable(url.origin, cause)));
    request.once('timeout', () => request.destroy(new Error(`nothing moved for ${idleMs / 1000} s`)));
  });
  const stop = () => over.abort();
  answered.then(stop, stop);

  async function send() {
    let sent = 0;
    const write = async (piece: Uint8Array) => {
      if (!request.write(piece)) await once(request, 'drain', { signal: over.signal });
      sent += piece.length;
      onProgress?.(sent / length);
    };
    await write(head);
    for await (const piece of form.file.stream()) await write(piece);
    await write(tail);
    request.end();
  }
  send().catch((error: unknown) => {
    // If the request is over already, its response has the reason. A failure of the upload itself ends the request.
    if (!over.signal.aborted) request.destroy(error as Error);
  });
  try {
    return await answered;
  } finally {
    request.destroy();
  }
}

function envelope({ fields, file_field, file_name }: NonNullable<ApiRequest['form']>, boundary: string): [Buffer, Buffer] {
  const parts = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${String(value)}\r\n`);
  const safeName = file_name.replace(/[^\w. -]/g, '_');
  const file = `--${boundary}\r\ncontent-disposition: form-data; name="${file_field}"; filename="${safeName}"\r\ncontent-type: application/zip\r\n\r\n`;
  return [Buffer.from(parts.join('') + file), Buffer.from(`\r\n--${boundary}--\r\n`)];
}

async function readAnswer(answer: http.IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxAnswerBytes) throw new ApiError('network', { detail: 'The answer of the server is too long.' });
  }
  const header = (name: string) => {
    const value = answer.headers[name];
    return (Array.isArray(value) ? value[0] : value) ?? null;
  };
  return { status: answer.statusCode ?? 0, header, text: Buffer.concat(chunks).toString() };
}
