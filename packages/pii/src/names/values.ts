import type { Scanned } from '../rule.ts';
import { isLetter, type Word } from './capital-words.ts';
import { keyOfName } from './keys.ts';
import { knownThing } from './known-things.ts';
import { bitsOf } from './known-words.ts';
import { stop } from './stops.ts';
import { knownWord } from './word-list.ts';

const maxName = 60;
const maxWords = 6;
const noNames = new Set(
  'null none unknown anonymous true false yes no admin administrator root guest user system test bot assistant nobody undefined'.split(' '),
);

/** The bounds of the value without surrounding blanks, if the whole value looks like a name: letters, blanks, and little else. */
export function wholeName(text: string): { start: number; end: number } | undefined {
  if (text.length > maxName + 20) return undefined;
  const trimmed = text.trim();
  if (trimmed.length < 2 || trimmed.length > maxName || noNames.has(trimmed.toLowerCase())) return undefined;
  let words = 1;
  let letters = 0;
  for (let at = 0; at < trimmed.length; at++) {
    const code = trimmed.charCodeAt(at);
    if (isLetter(code)) letters++;
    else if (code === 32) words++;
    else if (!(code === 39 || code === 0x2019 || code === 45 || code === 46 || code === 44 || code === 47)) return undefined;
  }
  if (words > maxWords || letters < 2) return undefined;
  const start = text.indexOf(trimmed);
  return { start, end: start + trimmed.length };
}

/** Whether the value of a key such as `name`, which things have too, is a person's name. */
export function isPersonLike({ text, isPerson, isThing, parent }: Scanned, words: readonly Word[], score: number): boolean {
  if (words.length === 0)
    return isPerson === true && text.split(' ').some((word) => (bitsOf(word, 0, word.length) & knownWord.first) !== 0);
  if (words.some((word) => (word.stops & (stop.organisation | stop.never)) !== 0)) return false;
  if (words.some((word) => (word.bits & knownWord.everyday) !== 0 && (word.bits & (knownWord.first | knownWord.last)) === 0)) return false;
  if (isPerson) return true;
  if (words.length > 1 && knownThing(words[0]!.hash, words[1]!.hash)) return false;
  const around = parent === undefined ? 'unknown' : keyOfName(parent);
  // `{"cluster":{"name":"Gordon"}}`: things have one-word names.
  if (isThing && around !== 'name' && around !== 'maybe') return false;
  if (around === 'thing' || around === 'container') return score >= 0.6 && words.length > 1;
  if (score >= 0.45) return true;
  const isPair = words.length === 2 && words.every((word) => word.stops === 0);
  if (around !== 'unknown') return isPair;
  const [head] = words;
  return (
    words.length > 1 && words.length < 5 && (head!.bits & (knownWord.first | knownWord.everyday)) === knownWord.first && head!.stops === 0
  );
}
