// Character classes by UTF-16 code. A code beyond the end of a text is NaN and belongs to no class.

const DIGIT = 1;
const SMALL = 2;
const CAPITAL = 4;
const HEX = 8;
const UNDERSCORE = 16;

const KINDS = new Uint8Array(128);
for (let code = 48; code < 58; code++) KINDS[code] = DIGIT | HEX;
for (let code = 65; code < 91; code++) KINDS[code] = CAPITAL | (code < 71 ? HEX : 0);
for (let code = 97; code < 123; code++) KINDS[code] = SMALL | (code < 103 ? HEX : 0);
KINDS[95] = UNDERSCORE;

export const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** Whether the character is a Latin letter, or any letter beyond ASCII; scripts are not distinguished. */
export function isLetter(code: number): boolean {
  if (code < 128) return (KINDS[code]! & (SMALL | CAPITAL)) !== 0;
  return code >= 0xc0 && code !== 0xd7 && code !== 0xf7 && !isBeyondLetters(code);
}

export function isCapital(code: number): boolean {
  if (code < 128) return (KINDS[code]! & CAPITAL) !== 0;
  return code >= 0xc0 && code <= 0xde && code !== 0xd7;
}

/** Whether the character is part of a word or an identifier. */
export function isWordPart(code: number): boolean {
  if (code < 128) return (KINDS[code]! & (SMALL | CAPITAL | DIGIT | UNDERSCORE)) !== 0;
  return isLetter(code);
}

export const isHex = (code: number): boolean => code < 128 && (KINDS[code]! & HEX) !== 0;

/** Punctuation, symbols, box drawing, emoji and their surrogates. */
function isBeyondLetters(code: number): boolean {
  return (code >= 0x2000 && code <= 0x2bff) || (code >= 0x3000 && code <= 0x303f) || (code >= 0xd800 && code <= 0xf8ff) || code >= 0xfe00;
}

/** The codes of the characters of a text. */
export function collectCodes(text: string): ReadonlySet<number> {
  const codes = new Set<number>();
  for (let at = 0; at < text.length; at++) codes.add(text.charCodeAt(at));
  return codes;
}

/** A word in the form of our word lists. Never use it for a whole address: those are compared by the contract's normal form. */
export const inSmallLetters = (word: string): string => word.toLowerCase();
