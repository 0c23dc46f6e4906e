import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Malformed, Unusable } from './failures.ts';

const maxLineBytes = 4 * 1024 ** 2;
const chunkBytes = 256 * 1024;
const newline = 10;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

export interface Reading {
  /** Called with the number of bytes of the file that were read so far. */
  onBytes?: ((bytes: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * The lines of a file, of any size, as they are read; a gzip file is unpacked. Throws `Unusable` if the file cannot be read, and `Malformed` for a line
 * that is too long and for a damaged gzip file.
 */
export async function* lineBatches(file: string, reading: Reading = {}): AsyncGenerator<Buffer[]> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  let isFirst = true;
  for await (const chunk of unpacked(file, reading)) {
    const lines: Buffer[] = [];
    let start = isFirst && chunk.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
    isFirst = false;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      lines.push(joined(rest, chunk.subarray(start, end)));
      [rest, restBytes, start] = [[], 0, end + 1];
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
    restBytes += chunk.length - start;
    yield lines;
    if (restBytes > maxLineBytes) throw new Malformed(tooLong);
  }
  // The last line may lack its line end.
  if (restBytes > 0) yield [joined(rest, Buffer.alloc(0))];
}

const tooLong = `The line is longer than ${maxLineBytes / 1024 ** 2} MiB.`;

function joined(before: Buffer[], last: Buffer): Buffer {
  return before.length === 0 ? last : Buffer.concat([...before, last]);
}

async function* unpacked(file: string, { onBytes, signal }: Reading): AsyncGenerator<Buffer> {
  const source = createReadStream(file, { highWaterMark: chunkBytes, signal });
  let bytes = 0;
  source.on('data', (chunk) => {
    bytes += chunk.length;
    onBytes?.(bytes);
  });
  source.pause();
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    const first = await chunks.next();
    if (first.done) return;
    const all = following(first.value, chunks);
    const isGzip = first.value[0] === 0x1f && first.value[1] === 0x8b;
    yield* isGzip ? gunzipped(all) : all;
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw failure(error, file);
  } finally {
    source.destroy();
  }
}

async function* following(first: Buffer, others: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await others.next(); !next.done; next = await others.next()) yield next.value;
}

async function* gunzipped(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: chunkBytes });
  // A failure destroys the stream below with the same error, which its reader receives.
  const done = pipeline(packed, gunzip, { end: true }).catch(() => undefined);
  try {
    yield* gunzip as AsyncIterable<Buffer>;
  } finally {
    gunzip.destroy();
    await done;
  }
}

function failure(error: unknown, file: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code?.startsWith('Z_')) return new Malformed('The gzip file is damaged or was cut.');
  return code === undefined ? error : new Unusable(`${file} cannot be read (${code}).`, error);
}
