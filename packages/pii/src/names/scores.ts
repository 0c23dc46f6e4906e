// The likelihood that some capitalised words are a name. 0 is none, 0.5 and above is one; below that it depends on its neighbours.
import { actsLikePerson, isAfterPersonWord, isPossessive, isSignature, isSpeaker, startsSentence } from './around.ts';
import type { Word } from './capital-words.ts';
import { stop } from './stops.ts';
import { isHeadOfPhrase, isListedWithPlaces, isWhereabouts } from './things.ts';
import { knownWord } from './word-list.ts';

const { first, commonFirst, last, everyday, rareWord, mostlyLast } = knownWord;

/** The words from `at` to before `end`, with their text. */
export interface Stretch {
  text: string;
  words: Word[];
  at: number;
  end: number;
  /** The certainty from the words before it: `sureness` of cues.ts. */
  cue: number;
}

export function scoreName(stretch: Stretch): number {
  const { text, words, at, end, cue } = stretch;
  const word = words[at]!;
  const count = end - at;
  const isEveryday = (word.bits & everyday) !== 0;
  const isSure =
    (cue === 3 && !isStrangeLine(stretch)) || (cue === 2 && isLikely(stretch)) || isSignature(text, word.start, words[end - 1]!.end);
  if (isSure && (!isEveryday || (word.bits & first) !== 0) && (word.shape !== 'initial' || count > 1)) {
    if (count > 1 || (word.stops & stop.place) === 0) return 0.9;
    return 0.55;
  }
  if (word.shape === 'initial') return initialsScore(stretch);
  if (word.shape === 'capitals') return capitalsScore(stretch);
  if (count === 1) return aloneScore(stretch);
  // "Mary Jane Flats": a following everyday word makes an uncertain name a thing.
  return pairScore(stretch) - (cue === 0 && isHeadOfPhrase(words, end) ? 0.25 : 0);
}

/** "Atentamente,\nAtención al Cliente": the line after a farewell is not a name if an unknown word in lower case follows. */
function isStrangeLine({ text, words, at, end }: Stretch): boolean {
  if (end - at > 1 || (words[at]!.bits & (first | last)) !== 0 || text.charCodeAt(words[at]!.start - 1) !== 10) return false;
  return /^ (?!(?:and|und|et|y|e|en|from|von|de|van) )\p{Ll}/u.test(text.slice(words[at]!.end, words[at]!.end + 6));
}

/** After a label that things have too, such as "name:": a known name, or two words that are not everyday words. */
function isLikely({ words, at, end }: Stretch): boolean {
  const named = words.slice(at, end);
  if (named.some((word) => (word.bits & (everyday | first | last)) === everyday || word.stops & (stop.organisation | stop.prefix)))
    return false;
  if (named.length > 1) return true;
  if (isHeadOfPhrase(words, end)) return false;
  const { bits, shape, stops } = words[at]!;
  // "Checked by: Line Lead": everyday words are rarely names.
  const isName = (bits & everyday) === 0 ? (bits & (first | last)) !== 0 : (bits & commonFirst) !== 0;
  return isName && shape === 'capital' && stops === 0;
}

/** "P. J. Hargreaves" and "T. Nakamura". */
function initialsScore({ words, at, end }: Stretch): number {
  const ending = words[end - 1]!;
  const isInitial = end - at > 1 && words[at]!.end - words[at]!.start === 1;
  if (!isInitial || ending.shape !== 'capital' || (ending.bits & everyday) !== 0 || ending.stops !== 0) return 0;
  return (ending.bits & last) !== 0 ? 0.6 : 0.4;
}

/** Accepts "MARIA KELLER" but not "THAI CHARACTER KO KAI": a sentence in capitals is not a name. */
function capitalsScore(stretch: Stretch): number {
  const { words, at, end, cue } = stretch;
  if (end - at === 1) return 0;
  const isCued = cue > 0 && words[at]!.bits !== 0 && (words[at]!.bits & everyday) === 0;
  const isShouted =
    cue === 0 && ((words[at]!.isJoined && isCapitals(words[at - 1])) || (words[end]?.isJoined === true && isCapitals(words[end])));
  return !isShouted && (isFirstAndLast(stretch) || isCued) ? 0.65 : 0;
}

const isCapitals = (word: Word | undefined) => word?.shape === 'capitals';

function isFirstAndLast({ words, at, end }: Stretch): boolean {
  const named = words.slice(at, end);
  const has = (bit: number) => named.some((word) => (word.bits & bit) !== 0);
  return has(first) && has(last) && named.some((word) => (word.bits & everyday) === 0);
}

function aloneScore(stretch: Stretch): number {
  const score = aloneWorth(stretch);
  const { text, words, at, cue } = stretch;
  const isPlace = score >= 0.5 && (isWhereabouts(text, words[at]!) || (cue < 2 && isListedWithPlaces(text, words, at)));
  return isPlace ? 0.3 : score;
}

function aloneWorth({ text, words, at, cue }: Stretch): number {
  const word = words[at]!;
  if ((word.bits & everyday) !== 0 || word.stops !== 0 || word.end - word.start < 3) return 0;
  const isActing = actsLikePerson(text, word.end);
  const isFirst = (word.bits & first) !== 0 && !isOfTwoLast(text, word);
  if (!isFirst || (word.bits & mostlyLast) !== 0) {
    if ((word.bits & (last | first)) === 0 || (word.bits & rareWord) !== 0) return 0.3;
    return isActing || (cue > 0 && isSpeaker(text, word.start)) ? 0.55 : 0.3;
  }
  const isCommon = (word.bits & commonFirst) !== 0;
  if (cue === 0 && isHeadOfPhrase(words, at + 1)) return 0;
  // "Ruby Red Lipstick": the word begins a phrase of capitalised words.
  const isOfPhrase = at + 1 < words.length && words[at + 1]!.isJoined;
  if (isOfPhrase && ((word.bits & rareWord) !== 0 || !isCommon)) return 0;
  if ((word.bits & rareWord) !== 0)
    return isCommon && (cue > 0 || isPossessive(text, word)) && !startsSentence(text, word.start) ? 0.55 : 0;
  if (isCommon) return cue > 0 ? 0.75 : 0.6;
  return cue > 0 || isActing || isPossessive(text, word) ? 0.5 : 0.35;
}

/** "Fritz-Armstrong" is a firm; "Jean-Luc" is a person. */
const isOfTwoLast = (text: string, word: Word) =>
  text.slice(word.start, word.end).includes('-') && (word.bits & last) !== 0 && (word.bits & commonFirst) === 0;

function pairScore({ text, words, at, end, cue }: Stretch): number {
  const [head, tail] = [words[at]!, words[end - 1]!];
  const isHeadEveryday = (head.bits & everyday) !== 0;
  const isInitialed = end - at === 3 && words[at + 1]!.shape === 'initial';
  if (isInitialed && !isHeadEveryday && head.stops === 0) return 0.7;
  const isTailEveryday = (tail.bits & everyday) !== 0;
  const isPlaces = (head.stops & stop.place) !== 0 && (tail.stops & stop.place) !== 0;
  if (isPlaces) return 0;
  if ((head.bits & first) !== 0) return firstNameScore(text, head, tail) + (cue > 0 ? 0.1 : 0);
  // "Odalys Ferreira": only the last name is known.
  const isRareHead = !isHeadEveryday && head.stops === 0;
  // Excludes "Traduzione di Giuseppe Sacco" and "Erstellung der Kette": a particle is part of a name only after a first name.
  if (cue === 0 && words[at + 1]!.start - head.end > 1 && head.shape !== 'initial') return 0;
  if (isRareHead && (tail.bits & last) !== 0 && !isTailEveryday && tail.stops === 0) return cue > 0 ? 0.6 : 0.5;
  // Two unknown words, or one known and one unknown: a name if another name is beside them (rule.ts).
  const isRareTail = !isTailEveryday && tail.stops === 0;
  if (!isRareHead || !isRareTail) return 0;
  if (cue > 0 && (head.bits & last) !== 0) return 0.5;
  if (end - at === 2 && (isPossessive(text, tail) || isAfterPersonWord(text, head.start))) return 0.5;
  return end - at === 2 && actsLikePerson(text, tail.end) ? 0.55 : 0.3;
}

/** The score of a first name, by its last word. */
function firstNameScore(text: string, head: Word, tail: Word): number {
  const isHeadEveryday = (head.bits & everyday) !== 0;
  const isTailLast = (tail.bits & (last | first)) !== 0;
  const isTailEveryday = (tail.bits & everyday) !== 0;
  // "Will Brandon come?", "Can Claude read this?": the first word only begins the question.
  const isTailFirst = (tail.bits & (commonFirst | mostlyLast)) === commonFirst;
  if (isHeadEveryday && ((tail.stops & stop.place) !== 0 || (isTailFirst && startsSentence(text, head.start)))) return 0;
  if (isHeadEveryday && isTailEveryday) {
    const isLikelyName = (head.bits & commonFirst) !== 0 && (tail.bits & last) !== 0;
    return isLikelyName && !startsSentence(text, head.start) ? 0.5 : 0.2;
  }
  if (isHeadEveryday && isTailLast) return (head.bits & mostlyLast) !== 0 ? 0.45 : 0.7;
  if (isHeadEveryday) return 0.2;
  if ((head.stops & stop.place) !== 0) return isTailLast && !isTailEveryday ? 0.6 : 0.3;
  if ((head.bits & commonFirst) !== 0) return isTailLast ? 0.85 : 0.7;
  if (isTailEveryday || (tail.bits & rareWord) !== 0) return 0.4;
  return isTailLast ? 0.7 : 0.45;
}
