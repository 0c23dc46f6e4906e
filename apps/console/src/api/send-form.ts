import type { ApiRequest, CallOptions } from '@paddock/client';
import { ApiError } from '@paddock/contract/errors';

type Answer = { status: number; header: (name: string) => string | null; text: string };

/**
 * Uploads a file with its fields and reports progress, which fetch cannot. The file comes last, so that the server has the fields first.
 */
export function sendForm(
  { url, headers, form }: { url: string; headers: Record<string, string>; form: NonNullable<ApiRequest['form']> },
  { signal, onProgress }: CallOptions,
): Promise<Answer> {
  const body = new FormData();
  for (const [name, value] of Object.entries(form.fields)) {
    if (value !== undefined) body.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  body.set(form.file_field, form.file, form.file_name);

  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    signal?.throwIfAborted();
    signal?.addEventListener('abort', abort, { once: true });
    request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress?.(loaded / total);
    });
    request.addEventListener('load', () =>
      resolve({ status: request.status, header: (name) => request.getResponseHeader(name), text: request.responseText }),
    );
    request.addEventListener('error', () => reject(new ApiError('network')));
    request.addEventListener('abort', () =>
      reject(signal?.reason instanceof Error ? signal.reason : new DOMException('The upload was cancelled.', 'AbortError')),
    );
    request.addEventListener('loadend', () => signal?.removeEventListener('abort', abort));
    request.open('POST', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.send(body);
  });
}
