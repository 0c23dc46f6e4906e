import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';

const unzip = { gzip: promisify(gunzip), 'x-gzip': promisify(gunzip), br: promisify(brotliDecompress) };
const wrapped = promisify(inflate);
const bare = promisify(inflateRaw);

/** More cannot be scanned within the time limit. */
const maxBytes = 2 * 1024 * 1024;
/** Maximum expansion of a body, beyond an initial allowance. */
const maxRatio = 100;
const allowance = 256 * 1024;

/** Decodes a whole body's content encoding in another thread. Undefined if it cannot be decoded. */
export async function decodeWhole(body: Buffer, encoding: string): Promise<Buffer | 'too large' | undefined> {
  const options = { maxOutputLength: Math.min(maxBytes, allowance + maxRatio * body.length) };
  try {
    // Some senders omit the zlib wrapper.
    if (encoding === 'deflate') return await ((body[0]! & 0x0f) === 8 ? wrapped(body, options) : bare(body, options));
    const decode = unzip[encoding as keyof typeof unzip];
    return decode === undefined ? undefined : await decode(body, options);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too large' : undefined;
  }
}
