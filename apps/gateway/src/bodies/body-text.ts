import { isUtf8 } from 'node:buffer';
import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

/** Maximum bytes decoded of an encoded body for its record. */
const maxDecoded = 32 * 1024;

/**
 * The beginning of a body without its content encoding, as a latin1 string. Undefined if it cannot be decoded or expands far beyond its size;
 * the work for it is bounded.
 */
export function decoded(body: string, encoding: string): string | undefined {
  const bytes = Buffer.from(body, 'latin1');
  try {
    return decode(bytes, encoding)?.toString('latin1');
  } catch {
    return undefined;
  }
}

function decode(bytes: Buffer, encoding: string): Buffer | undefined {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: maxDecoded };
  if (encoding === 'gzip' || encoding === 'x-gzip') return gunzipSync(bytes, options);
  if (encoding === 'br') return brotliDecompressSync(bytes, { finishFlush: constants.BROTLI_OPERATION_FLUSH, maxOutputLength: maxDecoded });
  if (encoding !== 'deflate') return undefined;
  // Some senders omit the zlib wrapper.
  return (bytes[0]! & 0x0f) === 8 ? inflateSync(bytes, options) : inflateRawSync(bytes, options);
}

/** The text of a body's bytes; undefined if they are not text in the declared charset (UTF-8 without one). */
export function decodeBodyText(bytes: string, charset: string): string | undefined {
  if (isLatin1(charset)) return hasBinary(bytes) ? undefined : bytes;
  if (!isUtf8Name(charset) || hasBinary(bytes)) return undefined;
  if (!beyondAscii.test(bytes)) return bytes;
  const buffer = Buffer.from(bytes, 'latin1');
  return isUtf8(buffer) ? buffer.toString() : undefined;
}

export const isKnownCharset = (charset: string): boolean => isLatin1(charset) || isUtf8Name(charset);

/** Removes characters that a cut has split from the ends of a part. */
export function wholeCharacters(bytes: string, { atStart, atEnd }: { atStart: boolean; atEnd: boolean }): string {
  let from = 0;
  let to = bytes.length;
  if (atStart) while (from < 3 && isContinuation(bytes.charCodeAt(from))) from += 1;
  if (atEnd) {
    let lead = to - 1;
    while (lead >= 0 && to - lead < 4 && isContinuation(bytes.charCodeAt(lead))) lead -= 1;
    if (lead >= 0 && bytes.charCodeAt(lead) >= 0xc0) to = lead;
  }
  return bytes.slice(from, to);
}

const beyondAscii = /[\u0080-\u00ff]/;
// Text contains no control characters but tabs and line breaks.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const binary = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;
export const hasBinary = (bytes: string) => binary.test(bytes);
const isContinuation = (code: number) => (code & 0xc0) === 0x80;
const isUtf8Name = (charset: string) =>
  charset === '' || charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii' || charset === 'ascii';
export const isLatin1 = (charset: string) => charset === 'iso-8859-1' || charset === 'latin1' || charset === 'windows-1252';
