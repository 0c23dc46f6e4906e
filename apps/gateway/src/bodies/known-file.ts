// Common binary formats: images, sounds, films, documents, archives.

/** First bytes of such files, as hexadecimal digits; a dot matches any digit. */
const beginnings =
  /^(?:89504e470d0a1a0a|ffd8ff|47494638(?:37|39)61|52494646.{8}(?:57454250|57415645|41564920)|.{8}66747970|1a45dfa3|4f676753|664c6143|494433|fff[23ab]|25504446|504b0(?:30|50)|1f8b08|28b52ffd|377abcaf|425a68|fd377a58|49492a00|4d4d002a|424d.{8}00000000|774f46|0001000000|4f54544f|0061736d|d0cf11e0|00000100|53514c69746520666f726d6174)/;

/** A file that is mostly text, like some documents, has fewer than one non-text byte in this many. */
const readableShare = 16;
const sampleBytes = 64 * 1024;
const minStretch = 16;

export const isKnownFile = (bytes: Buffer): boolean => beginnings.test(bytes.toString('hex', 0, 24));

/** The file is mostly text, which its recipient can read. */
export function isMostlyReadable(bytes: Buffer): boolean {
  const length = Math.min(bytes.length, sampleBytes);
  let others = 0;
  for (let at = 0; at < length; at++) if (!isReadable(bytes[at]!)) others += 1;
  return others * readableShare < length;
}

/** The longer readable runs of text in a file, a line for each. */
export function readableStretches(bytes: Buffer): string {
  const stretches: string[] = [];
  let from = 0;
  for (let at = 0; at <= bytes.length; at++) {
    if (at < bytes.length && isReadable(bytes[at]!)) continue;
    if (at - from >= minStretch) stretches.push(bytes.toString('latin1', from, at));
    from = at + 1;
  }
  return stretches.join('\n');
}

const isReadable = (byte: number) => (byte >= 32 && byte < 127) || byte === 9 || byte === 10 || byte === 13;
