import { isMeasure } from './context.ts';
import type { Street } from './number-first.ts';
import { compoundEndings, romanceWords, sureCompoundEndings } from './street-words.ts';
import { readTail } from './tail.ts';

const window = 64;
const maxWords = 6;
/** Additions to a house number: "7a", "12-14", "5 bis", "3º B". */
const afterNumber = /(?: ?[A-Za-z](?![A-Za-zÀ-ſ0-9])|[-/]\d{1,4}[A-Za-z]?(?![\d-]))?(?:,? \d{1,2}[ºª°](?: ?[A-Za-zº]{1,5}(?![A-Za-z]))?)?/y;

/** Reads "Lindenstraße 14, 50674 Köln", "Calle de Alcalá 45", "Via Garibaldi, 27"; `from` and `to` are the bounds of the number. */
export function streetFirst(text: string, from: number, to: number): Street | undefined {
  const before = text.charCodeAt(from - 1);
  if (before !== 32) return undefined;
  const end = text[from - 2] === ',' ? from - 2 : from - 1;
  if (!isOfWord(text.charCodeAt(end - 1)) || isDecimal(text, to)) return undefined;
  const words = wordsBefore(text, beforeNumberSign(text, end));
  if (words.length === 0) return undefined;
  afterNumber.lastIndex = to;
  const numberEnd = afterNumber.test(text) ? afterNumber.lastIndex : to;
  const romance = words.findLastIndex((word, at) => at < words.length - 1 && romanceWords.has(word.plain));
  if (romance >= 0 && words.length - romance <= maxWords) {
    if (isMeasure(text, from, to)) return undefined;
    const first = words[romance]!;
    const tail = readTail(text, numberEnd);
    // "via Mailgun in 210 ms", "Piazza Navona alle 15": a street must end with its name, not with another word before the number.
    const isCapital = isCapitalAt(text, words.at(-1)!.start);
    const score = isCapital ? 0.75 : 0.4;
    return { start: first.start, end: tail.end, score: tail.isConfirmed ? 0.95 : score };
  }
  const street = text[end] === ',' ? undefined : compound(text, words, numberEnd);
  return street && isMeasure(text, from, to) ? undefined : street;
}

const numberSign = /[ ,]n(?:[ºr°o]\.?|\.[ºo]?)$/;

/** "Calle Mayor nº 5": the street ends before the sign. */
function beforeNumberSign(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  if (code !== 0xba && code !== 0xb0 && code !== 46 && code !== 114 && code !== 111) return end;
  const found = numberSign.exec(text.slice(end - 4, end));
  return found ? end - found[0].length : end;
}

/** Whether the number goes on, as in "14:30" or "4.12". */
function isDecimal(text: string, to: number): boolean {
  const code = text.charCodeAt(to);
  const next = text.charCodeAt(to + 1);
  return (code === 46 || code === 44 || code === 58) && next >= 48 && next <= 57;
}

/** Whether a street may end with this character before its number: a letter, a full stop, "nº". */
const isOfWord = (code: number) => (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 46 || code >= 0xb0;

const postcodeNext = /^(?:,|\n|\\n) {0,4}(?:[A-Z]{1,2}-)?\d{4}/;

function compound(text: string, words: Word[], numberEnd: number): Street | undefined {
  const last = words.at(-1)!;
  if (!isCapitalAt(text, last.start) && !/^(?:straat|str|weg|platz|allee|laan)/.test(last.plain)) return undefined;
  const hasEnding = last.plain.length > 3 && compoundEndings.test(last.plain);
  // Any other capitalised word, if a postcode and a town follow: "Am Alten Markt 3, 18055 Rostock".
  const mayBePlace = postcodeNext.test(text.slice(numberEnd, numberEnd + 10));
  if (!hasEnding && !mayBePlace) return undefined;
  const tail = readTail(text, numberEnd);
  const start = startOfStreet(text, words);
  if (hasEnding && tail.isConfirmed) return { start, end: tail.end, score: 0.95 };
  if (hasEnding && sureCompoundEndings.test(last.plain) && last.plain.length > 5) return { start, end: tail.end, score: 0.75 };
  return mayBePlace && tail.isConfirmed ? { start, end: tail.end, score: 0.8 } : undefined;
}

/** Includes preceding capitalised words, and lower-case ones between them: "An der Aue", "Lange Voorhout". */
function startOfStreet(text: string, words: Word[]): number {
  let start = words.length - 1;
  for (let at = start - 1; at >= 0 && words.length - at <= 4; at--) {
    const { plain } = words[at]!;
    if (isCapitalAt(text, words[at]!.start) && !/[:.,;]$/.test(text.slice(words[at]!.start, words[at]!.end))) {
      start = at;
      continue;
    }
    if (!/^(?:der|den|dem|de|het|die|'t|van|von|zum|zur|alten|am|an|auf|in|im)$/.test(plain)) break;
  }
  return words[start]!.start;
}

interface Word {
  start: number;
  end: number;
  plain: string;
}

/** The words before the number on its line, in a window. */
function wordsBefore(text: string, end: number): Word[] {
  const from = Math.max(0, end - window);
  const words: Word[] = [];
  let stop = end;
  for (let at = end - 1; at >= from - 1 && words.length < maxWords + 1; at--) {
    const code = at < from ? 32 : text.charCodeAt(at);
    const isEdge =
      code === 32 ||
      code === 10 ||
      code === 34 ||
      code === 40 ||
      code === 44 ||
      code === 59 ||
      code === 58 ||
      code === 62 ||
      code === 39 ||
      code === 9;
    if (!isEdge) continue;
    if (at + 1 < stop) words.unshift({ start: at + 1, end: stop, plain: text.slice(at + 1, stop).toLowerCase() });
    stop = at;
    // An apostrophe belongs to "l'Église". Any other character but a blank ends the street.
    if (code === 39 && at > from && text.charCodeAt(at - 1) !== 32) continue;
    if (code !== 32) break;
  }
  return words;
}

function isCapitalAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code >= 65 && code <= 90) || (code >= 0xc0 && code <= 0xde) || (code >= 48 && code <= 57);
}
