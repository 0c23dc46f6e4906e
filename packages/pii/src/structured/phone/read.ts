// Reads a possible telephone number: up to eight groups of digits with the separators that people write between them.
import { collectCodes, isDigit, isWordPart } from '../../characters.ts';
import { countOf, type Runs } from '../../numbers/runs.ts';

/** A number from one run of digits on, as long as possible. `shapes.ts` scores it for each count of groups. */
export interface Written {
  text: string;
  runs: Runs;
  /** The run of its first group. */
  first: number;
  start: number;
  hasPlus: boolean;
  /** The first group, or the one after the country code, is in parentheses. */
  hasParentheses: boolean;
  /** For each count of groups: the number of digits, the groups' lengths as hexadecimal digits (0x334), and the common separator. */
  digits: number[];
  lengths: number[];
  separators: number[];
}

const MOST_GROUPS = 8;
export const MOST_DIGITS = 15;
/** ` (0)` and ` - ` are the widest usual separators. */
export const LONGEST_SEPARATOR = 4;
/** The separator of a single group. */
const NO_SEPARATOR = 0;
/** The separators between the groups differ. */
export const MIXED = -1;
export const SPACE = 32;
export const DASH = 45;
export const DOT = 46;
const SLASH = 47;
const PLUS = 43;
const OPEN = 40;
const CLOSE = 41;

/** Reads a number from the run `first`; undefined if no number can begin there. */
export function readPhone(text: string, runs: Runs, first: number): Written | undefined {
  const begin = findNumberStart(text, runs, first);
  if (!begin) return undefined;
  const digits: number[] = [];
  const lengths: number[] = [];
  const separators: number[] = [];
  let total = 0;
  let code = 0;
  let separator = NO_SEPARATOR;
  for (let i = first; i < Math.min(countOf(runs), first + MOST_GROUPS); i++) {
    const length = runs[2 * i + 1]! - runs[2 * i]!;
    if (total + length > MOST_DIGITS) break;
    if (i > first) {
      const next = readSeparator(text, runs[2 * i - 1]!, runs[2 * i]!);
      if (next === NO_SEPARATOR) break;
      separator = separator === NO_SEPARATOR || separator === next ? next : MIXED;
    }
    total += length;
    code = code * 16 + length;
    digits.push(total);
    lengths.push(code);
    separators.push(separator);
  }
  const { hasPlus, hasOpen } = begin;
  const firstEnd = runs[2 * first + 1]!;
  const isClosed = hasOpen && text.charCodeAt(firstEnd) === CLOSE;
  const start = begin.start + (hasOpen && !isClosed && !hasPlus ? 1 : 0); // a parenthesis around more than the area code is not included
  const hasParentheses = isClosed || (lengths.length > 2 && isInParentheses(text, runs, first + 1));
  return { text, runs, first, start, hasPlus, hasParentheses, digits, lengths, separators };
}

const isInParentheses = (text: string, runs: Runs, i: number) =>
  text.charCodeAt(runs[2 * i]! - 1) === OPEN && text.charCodeAt(runs[2 * i + 1]!) === CLOSE;

/** The start of the number, including its plus and its parenthesis. */
function findNumberStart(text: string, runs: Runs, first: number): { start: number; hasPlus: boolean; hasOpen: boolean } | undefined {
  let start = runs[2 * first]!;
  const hasOpen = text.charCodeAt(start - 1) === OPEN;
  if (hasOpen) start--;
  let hasPlus = text.charCodeAt(start - 1) === PLUS;
  if (hasPlus) start--;
  else if (hasOpen && text.charCodeAt(start + 1) === PLUS) hasPlus = true;
  return isOpen(text, start, hasPlus || hasOpen) ? { start, hasPlus, hasOpen } : undefined;
}

/** The separator between two groups: a sign, or a space if there are only spaces. `NO_SEPARATOR` if the number does not continue. */
function readSeparator(text: string, from: number, to: number): number {
  if (to - from > LONGEST_SEPARATOR) return NO_SEPARATOR;
  let sign = SPACE;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === SPACE || code === 9) continue;
    if (code !== DASH && code !== DOT && code !== SLASH && code !== OPEN && code !== CLOSE) return NO_SEPARATOR;
    sign = sign === SPACE ? code : MIXED;
  }
  return sign;
}

const MONEY = collectCodes('$€£¥#%');

/** Whether the number is not part of a longer number, a word or a path; `tel:` and `phone=` may precede it. */
function isOpen(text: string, start: number, isMarked: boolean): boolean {
  const before = text.charCodeAt(start - 1);
  if (isWordPart(before)) return text.charCodeAt(start - 2) === 92 && (before === 110 || before === 116);
  if (MONEY.has(before)) return false;
  if (isMarked || (before !== DOT && before !== DASH && before !== SLASH)) return true;
  return !isWordPart(text.charCodeAt(start - 2));
}

/** The end of an extension after a number: `ext. 12`, `x12`, `#12`; `end` itself if there is none. */
export function endOfExtension(text: string, end: number): number {
  let at = end;
  while (at < end + 3 && (text[at] === ' ' || text[at] === ',' || text[at] === ';')) at++;
  if (!EXTENSION_STARTS.has(text.charCodeAt(at))) return end;
  const word = EXTENSIONS.find((one) => text.slice(at, at + one.length).toLowerCase() === one);
  if (!word) return end;
  at += word.length;
  while (at < end + 16 && (text[at] === ' ' || text[at] === '.' || text[at] === ':')) at++;
  const first = at;
  while (at < first + 6 && isDigit(text.charCodeAt(at))) at++;
  return at > first && !isWordPart(text.charCodeAt(at)) ? at : end;
}

const EXTENSIONS = ['extension', 'durchwahl', 'poste', 'ext', 'int', 'app', 'x', '#'];
const EXTENSION_STARTS = collectCodes('edpixaEDPIXA#');
