// Invisible characters: controls and the escape sequences of terminals. Detection reads a text without them, so that they cannot hide
// values.

const ESC = 27;
const CSI = 0x9b;
const BELL = 7;
const MAX_PARAMETERS = 64;
/** Colours have at most three digits. More digits in a row may be personal data. */
const MAX_DIGITS = 4;

/** C0 without tabs and line ends, DEL and C1. */
export const isControl = (code: number): boolean => (code < 32 ? code < 9 || code > 13 : code > 126 && code < 0xa0);

/** The end of an escape sequence for colours, styles or cursor moves that starts at `at`; `at` itself if none does. */
export function endOfSequence(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === CSI) return endOfCsi(text, at + 1) ?? at;
  if (code !== ESC) return at;
  const next = text.charCodeAt(at + 1);
  if (next === 91) return endOfCsi(text, at + 2) ?? at;
  if (isStringStart(next)) return endOfString(text, at + 2) ?? at;
  return endOfShort(text, at + 1) ?? at;
}

/**
 * Whether a text contains a sequence other than those of colours: a title, a link, a character set. The content of such a sequence is
 * scanned as text, too.
 */
export function hasOtherSequence(text: string): boolean {
  for (let at = text.indexOf('\u001b'); at !== -1; at = text.indexOf('\u001b', at + 1)) if (text.charCodeAt(at + 1) !== 91) return true;
  return false;
}

/** BEL, or the escape of `ESC \`. */
export const endsString = (text: string, at: number): boolean =>
  text.charCodeAt(at) === BELL || (text.charCodeAt(at) === ESC && text.charCodeAt(at + 1) === 92);

/**
 * A value as it is displayed, and the sequences within it. They must be kept, because a colour that starts in a value ends somewhere after
 * it.
 */
export function splitSequences(value: string): { shown: string; sequences: string } {
  let shown = '';
  let sequences = '';
  let at = 0;
  while (at < value.length) {
    const end = endOfSequence(value, at);
    if (end > at) {
      if (mayStay(value, at, end)) sequences += value.slice(at, end);
      at = end;
      continue;
    }
    if (!isControl(value.charCodeAt(at))) shown += value[at];
    at += 1;
  }
  return { shown, sequences };
}

/**
 * Colours and character sets are kept. A title, the address of a link, or a character after a bare escape may be part of a value, and is
 * masked with the value around it.
 */
function mayStay(text: string, at: number, end: number): boolean {
  const next = text.charCodeAt(at + 1);
  const isCsi = text.charCodeAt(at) === CSI || next === 91;
  return isCsi || (isBetween(next, 0x20, 0x2f) && !isBetween(text.charCodeAt(end - 1), 48, 57));
}

/** OSC, DCS, SOS, PM and APC, which contain a text. */
const isStringStart = (code: number) => code === 93 || code === 80 || code === 88 || code === 94 || code === 95;

function endOfCsi(text: string, from: number): number | undefined {
  let digits = 0;
  for (let at = from; at < from + MAX_PARAMETERS; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x40 && code <= 0x7e) return at + 1;
    if (!(code >= 0x20 && code < 0x40)) return undefined;
    digits = code >= 48 && code <= 57 ? digits + 1 : 0;
    if (digits > MAX_DIGITS) return undefined;
  }
  return undefined;
}

/** The text of a sequence ends with BEL or `ESC \`, or at the latest before any other escape. */
function endOfString(text: string, from: number): number | undefined {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BELL) return at + 1;
    if (code === ESC) return text.charCodeAt(at + 1) === 92 ? at + 2 : undefined;
    if (code === 10 || code === 13) return undefined;
  }
  return undefined;
}

/** `ESC ( B`, `ESC 7`. */
function endOfShort(text: string, from: number): number | undefined {
  let at = from;
  while (at < from + 4 && isBetween(text.charCodeAt(at), 0x20, 0x2f)) at++;
  return isBetween(text.charCodeAt(at), 0x30, 0x7e) ? at + 1 : undefined;
}

const isBetween = (code: number, least: number, most: number) => code >= least && code <= most;
