import { bitsOf, hashWord } from './known-words.ts';
import { stopsOf } from './stops.ts';
import { knownWord } from './word-list.ts';

/** A capitalised word, of which names consist. */
export interface Word {
  start: number;
  end: number;
  /** Bits of `knownWord`. */
  bits: number;
  /** Bits of `stop`. */
  stops: number;
  hash: number;
  shape: 'capital' | 'capitals' | 'initial';
  /** The word is joined to the one before: only a blank or words like "van der" are between them. */
  isJoined: boolean;
}

const maxWord = 40;
const maxGap = 14;
const particles = new Set(
  `de|de la|de las|de los|del|della|di|da|das|do|dos|du|des|le|la|van|van de|van den|van der|van 't|von|von der|von dem|vom|zu|zum|zur|ter|ten|te|den|der|el|al|bin|binti|ibn|ben|af|av|d'|op den|in 't|ul|ur`.split(
    '|',
  ),
);
/** Prefixes after which a capital may stand within a word: McAllister. */
const inner = new Set(['Mc', 'Mac', 'De', 'Di', 'Du', 'Le', 'La', 'Van', 'Von', 'Fitz', 'Del', 'Da', "O'", "D'", 'O’', 'D’', 'El', 'Al']);

const maxInner = 4;
const isInner = (text: string, start: number, at: number) => at - start <= maxInner && inner.has(text.slice(start, at));

/** Finds the capitalised words in one pass, with time and memory linear in the text. */
export function capitalWords(text: string): Word[] {
  const words: Word[] = [];
  let isInWord = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (!isInWord && isCapital(code)) {
      const end = endOfWord(text, at);
      const word = end > 0 && !isOfCode(text, at, end) ? readWord(text, at, end) : undefined;
      if (word) {
        word.isJoined = words.length > 0 && isJoined(text, words.at(-1)!, at);
        words.push(word);
      }
      at = (end > 0 ? end : -end) - 1;
      isInWord = true;
    } else isInWord = isLetter(code) || (code >= 48 && code <= 57) || code === 95;
  }
  return words;
}

/** The end of the word; negative if the word cannot be part of a name because it is camelCase or too long. */
function endOfWord(text: string, start: number): number {
  let at = start + 1;
  let isName = true;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isLetter(code)) {
      if (isName && isCapital(code) && isSmall(text.charCodeAt(at - 1)) && !isInner(text, start, at)) isName = false;
      continue;
    }
    const isBridge = code === 39 || code === 0x2019 || code === 45;
    if (isBridge && isLetter(text.charCodeAt(at + 1)) && text.charCodeAt(at - 1) !== code) continue;
    break;
  }
  return isName && at - start <= maxWord ? at : -at;
}

function readWord(text: string, start: number, ended: number): Word | undefined {
  let end = ended;
  // "Nadia's" is Nadia.
  if (end - start > 3 && text[end - 1] === 's' && (text[end - 2] === "'" || text[end - 2] === '’')) end -= 2;
  if (end - start === 1) {
    const isInitial = text[end] === '.' || text[end] === ' ';
    return isInitial ? { start, end, bits: 0, stops: 0, hash: 0, shape: 'initial', isJoined: false } : undefined;
  }
  const hash = hashWord(text, start, end);
  const shape = isCapital(text.charCodeAt(start + 1)) && isCapital(text.charCodeAt(end - 1)) ? 'capitals' : 'capital';
  return { start, end, bits: bitsWithParts(text, start, end), stops: stopsOf(hash), hash, shape, isJoined: false };
}

/** "Jean-Luc" and "El-Amin" are recognized by one of their parts. */
function bitsWithParts(text: string, start: number, end: number): number {
  const whole = bitsOf(text, start, end);
  // A rare word that is not a name weighs the same as an everyday word.
  if (whole === knownWord.rareWord) return knownWord.everyday;
  if (whole) return whole;
  if (isInflected(text, start, end)) return knownWord.everyday;
  for (let at = start + 2; at < end - 2; at++) {
    const code = text.charCodeAt(at);
    if (code !== 45 && code !== 39 && code !== 0x2019) continue;
    const second = bitsOf(text, at + 1, end);
    // Excludes "Max-Age" and "Dev-only".
    if (end - at > 3 && second !== 0 && (second & (knownWord.first | knownWord.last)) === 0) return knownWord.everyday;
    return bitsOf(text, start, at) | (second & 4);
  }
  const isPrefixed = text[start + 1] === "'" || text[start + 1] === '’';
  return isPrefixed ? bitsOf(text, start + 2, end) | 4 : 0;
}

/** "Flats" and "Retries" are in no list, but "Flat" and "Retry" are everyday words. */
function isInflected(text: string, start: number, end: number): boolean {
  if (end - start < 5 || text.charCodeAt(end - 1) !== 115) return false;
  const isOfY = text.slice(end - 3, end) === 'ies';
  const bits =
    bitsOf(text, start, end - 1) || (isOfY ? bitsOf(`${text.slice(start, end - 3)}y`, 0, end - start - 2) : bitsOf(text, start, end - 2));
  return bits !== 0 && (bits & (knownWord.first | knownWord.last)) === 0;
}

/** Whether the word is part of an identifier, a path, an e-mail or web address, or a key. */
function isOfCode(text: string, start: number, end: number): boolean {
  const before = text.charCodeAt(start - 1);
  if (before === 58 && text.charCodeAt(start - 2) === 58) return true;
  if (before === 46 || before === 64 || before === 35 || before === 36 || before === 43 || before === 92) return true;
  // A slash before the word means a path, unless a capital precedes it as in "STROUD/AMELIA".
  if (before === 47 && !isCapital(text.charCodeAt(start - 2))) return true;
  const after = text.charCodeAt(end);
  // `import { Ada } from`.
  if (before === 32 && text.charCodeAt(start - 2) === 123 && after === 32 && text.charCodeAt(end + 1) === 125) return true;
  if (
    after === 95 ||
    after === 40 ||
    after === 64 ||
    after === 61 ||
    (after === 47 && isSmall(text.charCodeAt(end + 1))) ||
    (after >= 48 && after <= 57)
  )
    return true;
  return (after === 58 && text.charCodeAt(end + 1) === 58) || (after === 46 && isLetter(text.charCodeAt(end + 1)) && end - start > 1);
}

function isJoined(text: string, before: Word, start: number): boolean {
  const length = start - before.end;
  if (length > maxGap) return false;
  const first = text.charCodeAt(before.end);
  if (length === 1 && first === 47) return before.shape === 'capitals';
  if (length === 1) return first === 32 || first === 0xa0 || (first === 46 && before.shape === 'initial');
  // Capitalised words are mostly separated by a comma, a full stop or an everyday word.
  if (first !== 32 && first !== 46) return false;
  const gap = text.slice(before.end, start);
  const isShort = before.shape === 'initial' || (before.stops & 8) !== 0;
  if (first === 46)
    return isShort && (gap === '. ' || gap === '.-' || (text.charCodeAt(before.end + 1) === 32 && particles.has(gap.slice(2, -1))));
  if (first !== 32) return false;
  return particles.has(gap.trim());
}

/** The start of a name whose first word is at `start`: "von Arnim" begins at its particle. */
export function startWithParticles(text: string, start: number): number {
  const code = text.charCodeAt(start - 2);
  if (text.charCodeAt(start - 1) !== 32 || !(code >= 97 && code <= 122)) return start;
  const from = Math.max(0, start - maxGap);
  const before = text.slice(from, start);
  const match =
    /(?:^|[^A-Za-z])((?:de|del|della|di|da|dos|du|van|von|ter|ten|den|der|la|le|el|al|bin|zu)(?: (?:de|den|der|la|las|los|dem))? )$/.exec(
      before,
    );
  return match ? start - match[1]!.length : start;
}

export const isCapital = (code: number) =>
  (code >= 65 && code <= 90) ||
  (code >= 0xc0 && code <= 0xde && code !== 0xd7) ||
  (code >= 0x100 && code <= 0x17f && code !== 0x138 && (code < 0x139 ? (code & 1) === 0 : isOddCapital(code)));
/** In this part of Latin Extended-A capitals have odd codes first, then even ones, then odd ones again. */
const isOddCapital = (code: number) =>
  code < 0x149 || code > 0x178 ? (code & 1) === 1 : code === 0x178 || (code >= 0x14a && (code & 1) === 0);
const isSmall = (code: number) => (code >= 97 && code <= 122) || (code >= 0xdf && !isCapital(code));
export const isLetter = (code: number) =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 0xc0 && code < 0x2000 && code !== 0xd7 && code !== 0xf7);
