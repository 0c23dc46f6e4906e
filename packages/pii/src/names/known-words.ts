import { emptyHash, hashOn, readWords } from './word-list.ts';
import { entries, kinds } from './words.gen.ts';

const table = readWords(kinds, entries);

/** The bits of `knownWord` for a piece of a text, regardless of case and accents; 0 for an unknown word. */
export const bitsOf = (text: string, start: number, end: number): number => table.find(hashWord(text, start, end));

/** A hash that is equal for "Peña", "PENA" and "pena". */
export function hashWord(text: string, start: number, end: number): number {
  let hash = emptyHash;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code < 128) hash = hashOn(hash, code >= 65 && code <= 90 ? code + 32 : code);
    else if (code >= firstAccent && code <= lastAccent) hash = hashOfLetters(hash, plainLetters[code - firstAccent]!);
    else return hashOfPlain(text.slice(start, end));
  }
  return hash;
}

export function hashOfPlain(word: string): number {
  return hashOfLetters(emptyHash, plainWord(word));
}

function hashOfLetters(before: number, letters: string): number {
  let hash = before;
  for (let at = 0; at < letters.length; at++) hash = hashOn(hash, letters.charCodeAt(at));
  return hash;
}

const letters: Record<string, string> = { ß: 'ss', ø: 'o', ł: 'l', đ: 'd', ı: 'i', æ: 'ae', '’': "'" };

/** Lower case, without accents. */
export const plainWord = (word: string): string =>
  word
    .toLowerCase()
    .replace(/[ßøłđıæ’]/g, (letter) => letters[letter]!)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '');

// The letters of the European languages, precomputed. They cover most accents.
const firstAccent = 0xc0;
const lastAccent = 0x17f;
const plainLetters = Array.from({ length: lastAccent - firstAccent + 1 }, (_, at) => plainWord(String.fromCharCode(firstAccent + at)));
