// Whether a number stands alone, or is part of a longer number, a word, an identifier or a hash.
import { isDigit, isWordPart } from '../characters.ts';

const DOT = 46;
const DASH = 45;
const SLASH = 47;

/** Whether the text before `start` does not continue the number to the left. */
export function beginsNumber(text: string, start: number): boolean {
  if (start === 0) return true;
  const before = text.charCodeAt(start - 1);
  if (isWordPart(before) && !isEscape(text, start)) return false;
  const joins = before === DOT || before === DASH || before === SLASH;
  return !joins || start === 1 || !isWordPart(text.charCodeAt(start - 2));
}

/** Whether the text after `end` does not continue the number to the right. A comma or a dot ends a sentence unless a digit follows. */
export function endsNumber(text: string, end: number): boolean {
  const next = text.charCodeAt(end);
  if (isWordPart(next)) return false;
  if (next === DASH) return !isWordPart(text.charCodeAt(end + 1));
  return next !== DOT || !isDigit(text.charCodeAt(end + 1));
}

/** The `n` of an unprocessed `\n` escape is not a letter of a word. */
const isEscape = (text: string, start: number) => text.charCodeAt(start - 2) === 92 && ESCAPES.has(text.charCodeAt(start - 1));
const ESCAPES = new Set([110, 114, 116]);
