import type { Candidate } from '../rule.ts';
import { isCapital, isLetter } from './capital-words.ts';
import { bitsOf } from './known-words.ts';
import { knownWord } from './word-list.ts';

// Names in lower case: only right after words that announce one, and only if the first word is a first name.

/**
 * `gate`: texts without it contain none of the words. `isSure`: a name of any kind may follow. Otherwise it must be a first name that is
 * not an everyday word.
 */
const announcements: { gate: string; words: string[]; isSure: boolean }[] = [
  { gate: 'name', words: ['name is ', "name's ", 'name: ', 'full name '], isSure: true },
  { gate: "'m ", words: ["i'm ", "I'm "], isSure: false },
  { gate: "t's ", words: ["it's ", "It's "], isSure: false },
  { gate: ' am ', words: ['i am ', 'I am '], isSure: false },
  { gate: 'his is ', words: ['this is ', 'This is '], isSure: false },
  { gate: 'its ', words: ['its '], isSure: false },
  { gate: 'holder ', words: ['holder '], isSure: false },
  { gate: ' for ', words: [' for '], isSure: false },
  { gate: "'appelle ", words: ["m'appelle "], isSure: true },
  { gate: 'amo ', words: ['llamo ', 'chiamo '], isSure: true },
];
const maxWords = 4;
const particles = new Set(['van', 'von', 'de', 'der', 'den', 'la', 'di', 'da', 'dos', 'del', 'du', 'le', 'el', 'al', 'bin']);

export function lowerCaseNames(text: string, hasCapitals: boolean): Candidate[] {
  const found: Candidate[] = hasCapitals ? [] : pairs(text);
  for (const { gate, words, isSure } of announcements) {
    if (!text.includes(gate)) continue;
    for (const one of words) announced(text, { words: one, isSure }, found);
  }
  return found;
}

function announced(text: string, { words, isSure }: { words: string; isSure: boolean }, found: Candidate[]) {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
    const start = at + words.length;
    // Excludes "job_name: " and "benefits ": the match must begin at the start of a word.
    if (at > 0 && words[0] !== ' ' && isOfIdentifier(text.charCodeAt(at - 1))) continue;
    const end = endOfNames(text, start, isSure);
    // Excludes `for sep in paths` and `- name: hudson`.
    if (words === ' for ' && text.startsWith(' in ', end)) continue;
    if (words === 'name: ' && isSetting(text, at, { start, end })) continue;
    if (end > start) found.push({ type: 'Name', start, end, score: isSure ? 0.7 : 0.6 });
  }
}

/** Whether it is a line of YAML with one word that is not a common first name. */
function isSetting(text: string, at: number, { start, end }: { start: number; end: number }): boolean {
  const isLine = /(?:^|\n)[ -]{0,12}$/.test(text.slice(Math.max(0, at - 13), at)) && (end >= text.length || text[end] === '\n');
  return isLine && !text.slice(start, end).includes(' ') && !isCommonFirst(bitsOf(text, start, end));
}

const isOfIdentifier = (code: number) => isLetter(code) || code === 95 || (code >= 48 && code <= 57);

/** Pairs in a text without any capital: a common first name followed by a last name, neither of them an everyday word. */
function pairs(text: string): Candidate[] {
  const found: Candidate[] = [];
  let at = 0;
  while (at < text.length) {
    const end = endOfWord(text, at);
    if (end === at) {
      at++;
      continue;
    }
    const isName = end - at > 2 && !isOfPath(text, at, end) && isCommonFirst(bitsOf(text, at, end)) && isLastName(text, end);
    if (isName) found.push({ type: 'Name', start: at, end: endOfWord(text, end + 1), score: 0.6 });
    at = isName ? endOfWord(text, end + 1) : end;
  }
  return found;
}

/** Whether the word is part of a path, an address or an identifier. */
function isOfPath(text: string, start: number, end: number): boolean {
  const before = text.charCodeAt(start - 1);
  return text.charCodeAt(end) !== 32 || (start > 0 && before !== 32 && before !== 10 && before !== 34 && before !== 40 && before !== 44);
}
const isCommonFirst = (bits: number) => (bits & knownWord.commonFirst) !== 0 && (bits & (knownWord.everyday | knownWord.rareWord)) === 0;

/** The end of the consecutive words that are names; `start` if the first is not. */
function endOfNames(text: string, start: number, isSure: boolean): number {
  let end = start;
  let from = start;
  for (let count = 0; count < maxWords; count++) {
    const to = endOfWord(text, from);
    if (to === from || to - from > 20 || text[to] === '_' || isCapital(text.charCodeAt(from))) break;
    const bits = bitsOf(text, from, to);
    const isFirst = (bits & knownWord.first) !== 0 || (isSure && (bits & knownWord.last) !== 0);
    const isEveryday = (bits & knownWord.everyday) !== 0;
    if (count === 0 && !(isFirst && !isEveryday && ((bits & knownWord.commonFirst) !== 0 || isSure || isLastName(text, to)))) break;
    if (count > 0 && particles.has(text.slice(from, to)) && text[to] === ' ') {
      from = to + 1;
      continue;
    }
    if (count > 0 && isEveryday) break;
    if (count > 0 && bits === 0 && !isSure && (text[to] ?? '.') === ' ') break;
    end = to;
    if (text[to] !== ' ') break;
    from = to + 1;
  }
  return end;
}

/** Whether a last name follows the first word. */
function isLastName(text: string, first: number): boolean {
  if (text[first] !== ' ') return false;
  const bits = bitsOf(text, first + 1, endOfWord(text, first + 1));
  return (bits & knownWord.last) !== 0 && (bits & knownWord.everyday) === 0;
}

function endOfWord(text: string, start: number): number {
  let at = start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (!isLetter(code) && (at === start || (code !== 39 && code !== 45))) break;
  }
  return at;
}
