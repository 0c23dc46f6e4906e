import type { Candidate, Rule, Scanned } from '../rule.ts';
import { capitalWords, type Word } from './capital-words.ts';
import { judge, type Name } from './judge.ts';
import { keyOfName } from './keys.ts';
import { lowerCaseNames } from './lower-case.ts';
import { stop } from './stops.ts';
import { namesInTable } from './table.ts';
import { isPersonLike, wholeName } from './values.ts';
import { knownWord } from './word-list.ts';

const minScore = 0.5;
const sureScore = 0.6;
const surestScore = 0.75;
/** The score that `judge` gives to a name after a title. */
const sureScoreOfTitle = 0.9;
const conjunctions = new Set([
  ', ',
  ' and ',
  ', and ',
  ' or ',
  ' und ',
  ' oder ',
  ' et ',
  ' ou ',
  ' y ',
  ' e ',
  ' en ',
  ' of ',
  ' & ',
  ',',
  ';',
  '\n',
  '\n- ',
  '\n  - ',
]);

/** Finds names of persons: by the words before them, by lists of names, by the keys of their values. */
export const nameRule: Rule = {
  types: ['Name'],
  find(scanned) {
    const { text, gates } = scanned;
    const key = scanned.key ?? scanned.parent;
    const kind = key === undefined ? 'unknown' : keyOfName(key);
    if (kind === 'thing') return [];
    if (kind === 'unknown' && gates.capitals === 0) return text.includes(' ') ? lowerCaseNames(text, false) : [];
    if (kind === 'name' || kind === 'maybe') {
      const whole = wholeName(text);
      if (whole && kind === 'name') return [{ type: 'Name', ...whole, score: 0.9 }];
      if (whole) return valueOfMaybe(scanned, whole);
    }
    const names = text.includes('\n') ? namesIn(text).concat(namesInTable(text)) : namesIn(text);
    if (text.length < 8 || !text.includes(' ')) return names;
    const lower = lowerCaseNames(text, gates.capitals > 0);
    return lower.length > 0 ? names.concat(lower) : names;
  },
};

function valueOfMaybe(scanned: Scanned, whole: { start: number; end: number }): Candidate[] {
  const words = capitalWords(scanned.text);
  const [best] = judged(scanned.text, words).toSorted((one, other) => other.score - one.score);
  if (isPersonLike(scanned, words, best?.score ?? 0)) return [{ type: 'Name', ...whole, score: 0.8 }];
  if (isNameOfThing(scanned)) return [];
  return best && best.score >= minScore ? [{ type: 'Name', start: best.start, end: best.end, score: best.score }] : [];
}

/** Excludes `{"name":"Peach Melba","price":8}` and `{"cluster":{"name":"Gordon"}}`. */
function isNameOfThing({ key, parent, isPerson, isThing }: Scanned): boolean {
  if (isPerson || key === undefined || !/^(?:name|nom|nome|nombre|naam)$/i.test(key)) return false;
  const around = parent === undefined ? 'unknown' : keyOfName(parent);
  return around === 'thing' || around === 'container' || (isThing === true && around === 'unknown');
}

function namesIn(text: string): Candidate[] {
  const words = capitalWords(text);
  if (words.length === 0) return [];
  const sure = withNeighbours(text, judged(text, words));
  const again = sure.length > 0 ? namedAgain(text, words, sure) : [];
  return [...sure, ...again].map(({ start, end, score }) => ({ type: 'Name', start, end, score }));
}

/** A list of names contains only names, so a name beside a certain one needs a lower score. */
function withNeighbours(text: string, names: Name[]): Name[] {
  return names.filter((name, at) => {
    if (name.score >= minScore) return true;
    const [before, after] = [names[at - 1], names[at + 1]];
    const isListed = (one: Name | undefined, other: Name | undefined) =>
      one !== undefined && other !== undefined && conjunctions.has(text.slice(one.end, Math.min(other.start, one.end + 8)));
    const isAlike = (one: Name | undefined) =>
      one !== undefined &&
      one.score >= (name.words.length === 1 ? surestScore : sureScore) &&
      (one.words.length === 1) === (name.words.length === 1);
    return (isAlike(before) && isListed(before, name)) || (isAlike(after) && isListed(name, after));
  });
}

function judged(text: string, words: Word[]): Name[] {
  const names: Name[] = [];
  for (let from = 0; from < words.length; ) {
    let to = from + 1;
    while (to < words.length && words[to]!.isJoined) to++;
    for (let at = from; at < to; ) {
      const { name, next } = judge({ text, words, from, to }, at);
      if (name) addName(names, name);
      at = next;
    }
    from = to;
  }
  return names;
}

/** Keeps the name with the higher score if two overlap. */
function addName(names: Name[], name: Name) {
  const before = names.at(-1);
  if (!before || before.end <= name.start) names.push(name);
  else if (name.score > before.score) names[names.length - 1] = name;
}

/** A person named in full is often named by one word later: "Mokoena presented the figures." */
function namedAgain(text: string, words: Word[], names: Name[]): Candidate[] {
  const known = new Set<number>();
  const taken = new Set<number>();
  for (const name of names)
    for (const word of name.words) {
      taken.add(word.start);
      const isName = word.end - word.start > 2 && (word.bits & knownWord.everyday) === 0 && word.stops === 0;
      if (isName && name.score >= 0.7 && (name.words.length > 1 || name.score === sureScoreOfTitle)) known.add(word.hash);
    }
  return words.flatMap((word, at) => {
    if (taken.has(word.start) || !known.has(word.hash)) return [];
    const next = words[at + 1];
    if (next?.isJoined && (next.stops & stop.organisation) !== 0) return [];
    return [{ type: 'Name' as const, start: word.start, end: word.end, score: 0.7 }];
  });
}
