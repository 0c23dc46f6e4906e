// Whether a number stands on its own, or is a piece of a longer number, a word, an identifier or a hash.
import { isDigit, isWordPart } from '../characters.ts';

const DOT = 46;
const DASH = 45;
const SLASH = 47;

/** Nothing before `start` makes the number go on to the left. */
export function beginsNumber(text: string, start: number): boolean {
  if (start === 0) return true;
  const before = text.charCodeAt(start - 1);
  if (isWordPart(before) && !isEscape(text, start)) return false;
  const joins = before === DOT || before === DASH || before === SLASH;
  return !joins || start === 1 || !isWordPart(text.charCodeAt(start - 2));
}

/** Nothing behind `end` makes the number go on to the right. A comma or a dot ends a sentence unless a digit follows. */
export function endsNumber(text: string, end: number): boolean {
  const next = text.charCodeAt(end);
  if (isWordPart(next)) return false;
  if (next === DASH) return !isWordPart(text.charCodeAt(end + 1));
  return next !== DOT || !isDigit(text.charCodeAt(end + 1));
}

/** `\n` of a text that still has its escapes is no letter of a word. */
const isEscape = (text: string, start: number) => text.charCodeAt(start - 2) === 92 && ESCAPES.has(text.charCodeAt(start - 1));
const ESCAPES = new Set([110, 114, 116]);
