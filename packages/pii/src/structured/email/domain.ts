import { inSmallLetters, isCapital, isDigit, isLetter, isWordPart } from '../../characters.ts';

const DASH = 45;
const DOT = 46;
const LONGEST = 253;
const LONGEST_TOP = 24;

/** Endings of files and of systemd units, which are not domains. */
const NO_TOP = new Set(
  'png jpg jpeg gif svg webp css js mjs ts tsx jsx json yml yaml html htm txt service socket timer target mount scope slice'.split(' '),
);

/** The end of the domain that begins here; undefined unless it has a dot and a top level of letters. */
export function endOfDomain(text: string, start: number): number | undefined {
  let end = start;
  let labels = 0;
  let lastStart = start;
  let lastEnd = start;
  while (end < start + LONGEST) {
    const labelStart = end;
    while (end < start + LONGEST && (isDigit(text.charCodeAt(end)) || isLetter(text.charCodeAt(end)) || text.charCodeAt(end) === DASH))
      end++;
    if (end === labelStart || text.charCodeAt(labelStart) === DASH) break;
    if (labels > 0 && beginsSentence(text, start, labelStart)) break;
    labels++;
    lastStart = labelStart;
    lastEnd = end;
    if (text.charCodeAt(end) !== DOT || !isWordPart(text.charCodeAt(end + 1))) break;
    end++;
  }
  while (lastEnd > lastStart && text.charCodeAt(lastEnd - 1) === DASH) lastEnd--;
  if (labels < 2 || !isTop(text, lastStart, lastEnd) || isVersion(text, start)) return undefined;
  return lastEnd;
}

function isTop(text: string, start: number, end: number): boolean {
  const length = end - start;
  if (length < 2 || length > LONGEST_TOP) return false;
  const top = inSmallLetters(text.slice(start, end));
  if (NO_TOP.has(top)) return false;
  if (top.startsWith('xn--')) return true;
  for (let at = start; at < end; at++) if (!isLetter(text.charCodeAt(at))) return false;
  return true;
}

/** `name@1.2.3-beta`: the first label is a number, and so is the next. */
function isVersion(text: string, start: number): boolean {
  let at = start;
  while (at < start + 4 && isDigit(text.charCodeAt(at))) at++;
  return at > start && text.charCodeAt(at) === DOT && isDigit(text.charCodeAt(at + 1));
}

/** `…@example.com.Thanks`: a dot followed by a capital and a lower-case letter, if the domain itself begins in lower case. */
function beginsSentence(text: string, start: number, labelStart: number): boolean {
  if (!isCapital(text.charCodeAt(labelStart)) || isCapital(text.charCodeAt(start))) return false;
  return !isCapital(text.charCodeAt(labelStart - 2)) && !isCapital(text.charCodeAt(labelStart + 1));
}
