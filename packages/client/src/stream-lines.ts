import { ApiError } from '@paddock/contract/errors';

/** Longer than any line that a server sends. */
const maxLine = 1024 ** 2;

/**
 * The values of a response's lines, each as soon as its line is complete. Throws `network` if the response is interrupted. A reader that
 * stops early ends the call.
 */
export async function* streamLines(body: ReadableStream<Uint8Array>, signal?: AbortSignal): AsyncGenerator<unknown> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let pending = '';
  try {
    for (;;) {
      const { done, value } = await read(reader, signal);
      if (done) return;
      const text = decoder.decode(value, { stream: true });
      const lines = text.split('\n');
      lines[0] = pending + lines[0];
      pending = lines.pop() ?? '';
      if (pending.length > maxLine) throw new ApiError('network');
      for (const line of lines) yield parsed(line);
    }
  } finally {
    // The rest of the response is not needed, so a failed cancellation is ignored.
    await reader.cancel().catch(() => undefined);
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new ApiError('internal', { detail: "The server's response is not valid JSON.", cause });
  }
}

async function read(reader: ReadableStreamDefaultReader<Uint8Array>, signal: AbortSignal | undefined) {
  try {
    return await reader.read();
  } catch (cause) {
    // The caller cancelled, which is not a network failure.
    if (signal?.aborted) throw signal.reason;
    throw new ApiError('network', { cause });
  }
}
