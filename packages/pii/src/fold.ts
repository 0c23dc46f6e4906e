// Replaces look-alike characters, so that a full-width digit or a zero-width space cannot hide a value.
//
// Replaced by ASCII: spaces (no-break, thin, ideographic …), dashes and minus signs, full-width forms, Arabic-Indic, Devanagari and mathematical
// digits, ideographic full stops, fraction slashes, typographic quotes, the small `@`. Removed: soft hyphens, zero-width characters and joiners,
// direction marks, variation selectors, controls, escape sequences of terminals, and bytes that are not text (lone surrogates, U+FFFD).
import { endOfSequence, endsString, isControl } from './controls.ts';

export interface Folded {
  text: string;
  /** The offset in the original text of each character; undefined if no offset has changed. */
  offsets?: Uint32Array;
}

const OMIT = -1;

/** With `skipsSequences` false the content of an escape sequence is text, and only its control character is removed. */
export function fold(original: string, skipsSequences = true): Folded {
  const codes = new Uint16Array(original.length);
  const offsets = new Uint32Array(original.length + 1);
  let length = 0;
  for (let at = 0; at < original.length; at++) {
    let code = original.charCodeAt(at);
    offsets[length] = at;
    if (code >= 0xd800 && code <= 0xdfff) {
      const pair = original.codePointAt(at)!;
      if (pair >= 0x1d7ce && pair <= 0x1d7ff) {
        code = 48 + ((pair - 0x1d7ce) % 10);
        at++;
      } else if (pair > 0xffff) {
        codes[length++] = code;
        offsets[length] = ++at;
        code = original.charCodeAt(at);
      } else code = OMIT;
    } else if (code >= 0xa0) code = folded(code);
    else if (isControl(code)) {
      if (skipsSequences) at = Math.max(at, endOfSequence(original, at) - 1);
      code = skipsSequences || !endsString(original, at) ? OMIT : 10;
    } else if (code === 11 || code === 12) code = 32;
    if (code !== OMIT) codes[length++] = code;
  }
  offsets[length] = original.length;
  const text = Buffer.from(codes.buffer, 0, length * 2).toString('utf16le');
  return length === original.length ? { text } : { text, offsets: offsets.subarray(0, length + 1) };
}

/** The range in the original text for a range in the folded one. Removed characters after the last character are not included. */
export function unfold(range: { start: number; end: number }, offsets: Uint32Array, original: string): { start: number; end: number } {
  const last = offsets[range.end - 1]!;
  return { start: offsets[range.start]!, end: last + (original.charCodeAt(last) === 0xd835 ? 2 : 1) };
}

/** The replacement of a character outside ASCII. */
function folded(code: number): number {
  if (code < 0x2000) return foldedBelow2000(code);
  if (code > 0xff00 && code < 0xff5f) return code - 0xfee0;
  const known = OTHERS.get(code);
  return known ?? code;
}

function foldedBelow2000(code: number): number {
  if (code === 0xa0 || code === 0x1680) return 32;
  if (code === 0xad || code === 0x34f || code === 0x180e) return OMIT;
  if (code >= 0x660 && code <= 0x669) return code - 0x660 + 48;
  if (code >= 0x6f0 && code <= 0x6f9) return code - 0x6f0 + 48;
  if (code >= 0x966 && code <= 0x96f) return code - 0x966 + 48;
  return code;
}

function* range(from: number, to: number): Generator<number> {
  for (let code = from; code <= to; code++) yield code;
}

function table(rows: [string | undefined, Iterable<number>][]): Map<number, number> {
  const to = new Map<number, number>();
  for (const [as, codes] of rows) for (const code of codes) to.set(code, as === undefined ? OMIT : as.charCodeAt(0));
  return to;
}

const OTHERS = table([
  [' ', [...range(0x2000, 0x200a), 0x202f, 0x205f, 0x3000]],
  ['\n', [0x2028, 0x2029]],
  ['-', [...range(0x2010, 0x2015), 0x2212, 0xfe58, 0xfe63]],
  ['.', [0x2024, 0x3002, 0xff61, 0xfe52]],
  ['/', [0x2044, 0x2215]],
  ["'", [0x2018, 0x2019, 0x201b]],
  ['"', [0x201c, 0x201d, 0x201e]],
  ['@', [0xfe6b]],
  [undefined, [...range(0x200b, 0x200f), ...range(0x202a, 0x202e), ...range(0x2060, 0x206f), ...range(0xfe00, 0xfe0f), 0xfeff, 0xfffd]],
]);
