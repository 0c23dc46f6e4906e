import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';

const unzip = { gzip: promisify(gunzip), 'x-gzip': promisify(gunzip), br: promisify(brotliDecompress) };
const wrapped = promisify(inflate);
const bare = promisify(inflateRaw);

/** A larger body cannot be scanned in the available time. */
const maxBytes = 2 * 1024 * 1024;
/** Maximum expansion of a body, beyond a first allowance. */
const maxRatio = 100;
const allowance = 256 * 1024;

/** A whole body without its content encoding, decoded in another thread. Undefined if it cannot be read. */
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
