import { isBesideNumber } from './around.ts';
import { startWithParticles, type Word } from './capital-words.ts';
import { surenessBefore } from './cues.ts';
import { knownThing } from './known-things.ts';
import { scoreName } from './scores.ts';
import { stop } from './stops.ts';
import {
  isAfterThingLabel,
  isBeforeForm,
  isBeforeKind,
  isDefinedAsThing,
  isHeadOfPhrase,
  isItemOfOrder,
  isMachine,
  weightOfArticle,
} from './things.ts';
import { knownWord } from './word-list.ts';

const { first, commonFirst, last, everyday, mostlyLast } = knownWord;
const maxWords = 5;

export interface Name {
  start: number;
  end: number;
  score: number;
  /** Its words. In the rest of the text each of them alone means this person too. */
  words: Word[];
}

/** The context of a run of words. */
interface Place {
  text: string;
  words: Word[];
  /** The first word of the run, and one past the last. All words of a run are joined. */
  from: number;
  to: number;
}

/** Searches for a name from the word `at` on. `next` is the word to continue with. */
export function judge(place: Place, at: number): { name?: Name; next: number } {
  const { text, words, to } = place;
  const word = words[at]!;
  // Excludes "Morgan Stanley", and "Dr Pepper" before its title is read.
  if (at + 1 < to && words[at + 1]!.isJoined && isKnownThing(place, at)) return { next: at + 2 };
  const isTitle = (word.stops & stop.title) !== 0 && at + 1 < to;
  if (isTitle || (word.stops & stop.greeting) !== 0) return afterTitle(place, at, isTitle);
  // Excludes "San Francisco" and "Klinikum Nord".
  const makesPlace = (word.stops & stop.prefix) !== 0 || ((word.stops & stop.organisation) !== 0 && (word.bits & first) === 0);
  if (makesPlace && at + 1 < to) return { next: canBeOfName(words[at + 1]!) ? endOfName(place, at + 1) : at + 2 };
  if (!canBeOfName(word)) return { next: at + 1 };
  // Most capitalised words only begin a sentence.
  if ((word.bits & (everyday | first | last)) === everyday) return { next: at + 1 };
  const end = endOfName(place, at);
  if (followsThing(place, end)) return { next: end + 1 };
  const cue = cueBefore(place, at);
  const worth = scoreName({ text, words, at, end, cue });
  if (worth <= 0) return { next: at + 1 };
  const against = worth < 0.5 ? 0 : weightAgainst(place, at, { end: words[end - 1]!.end, cue });
  const score = worth - against;
  // "El María Cristina": if the whole is a thing, no part of it is a name.
  if (score < 0.5 && against > 0) return { next: end };
  const reached = cue >= 2 && end === at + 1 ? withFirstName(text, words, at) : end;
  // If the whole is doubtful, a part of it may be a name: "Patientin Erika Muster".
  return { name: buildName(text, words, { at, end: reached, score }), next: score < 0.5 ? at + 1 : reached };
}

function isKnownThing(place: Place, at: number): boolean {
  const kind = knownThing(place.words[at]!.hash, place.words[at + 1]!.hash);
  return kind === 'firm' || (kind === 'thing' && cueBefore(place, at) < 2);
}

/** The weight of the context against a name. */
function weightAgainst({ text, words, from, to }: Place, at: number, { end, cue }: { end: number; cue: number }): number {
  const word = words[at]!;
  if (isMachine(text, word.start, end)) return 1;
  const start = words[from]!.start;
  if (isItemOfOrder(text, start, words[to - 1]!.end)) return 0.5;
  if (cue === 3) return 0;
  if (isBesideNumber(text, word.start, end) || isBeforeKind(text, end) || isDefinedAsThing(text, end)) return 0.4;
  if (isAfterThingLabel(text, start)) return 0.4;
  return weightOfArticle(text, word);
}

/** "KOWALSKI, ANDRZEJ" after a label. Returns one past the last word. */
function withFirstName(text: string, words: Word[], at: number): number {
  const [head, next] = [words[at]!, words[at + 1]];
  if (!next || next.shape !== head.shape || text.slice(head.end, next.start) !== ', ') return at + 1;
  const code = text.charCodeAt(next.end);
  const isAtEnd = Number.isNaN(code) || code === 10 || code === 34 || code === 60 || code === 59 || code === 124;
  return isAtEnd && (next.stops & stop.never) === 0 ? at + 2 : at + 1;
}

/** "Dr. Amara Nwosu", "Dear Noah": the words after a title may be unknown. */
function afterTitle(place: Place, at: number, isTitle: boolean): { name?: Name; next: number } {
  const { text, words, to } = place;
  const from = at + 1;
  if (from >= to || !words[from]!.isJoined) return { next: from };
  const next = words[from]!;
  if (next.stops & (stop.title | stop.greeting)) return { next: from };
  // Excludes "Thanks Team" and "Hello World": greetings are also followed by everyday words.
  const isUnlikely = (next.stops & stop.never) !== 0 || (!isTitle && (next.bits & everyday) !== 0 && (next.bits & (first | last)) === 0);
  if (isUnlikely) return { next: from };
  // Excludes "Agent Detection" and "Officer Training": after such a title the name must be a known one.
  const isLooseTitle = isTitle && (words[at]!.bits & everyday) !== 0 && words[at]!.end - words[at]!.start > 3;
  if (isLooseTitle && (next.bits & (first | last)) === 0) return { next: from };
  // Excludes "MS Compiler": a title in capitals before a word in mixed case.
  if (isTitle && words[at]!.shape === 'capitals' && next.shape === 'capital' && (next.bits & (first | last)) === 0) return { next: from };
  if (isItemOfOrder(text, words[place.from]!.start, words[to - 1]!.end)) return { next: to };
  // Excludes "Aunt Jemima Syrup".
  if (isLooseTitle && isHeadOfPhrase(words, endOfName(place, from))) return { next: from + 1 };
  if (!isTitle && (next.bits & first) === 0 && !isAloneAfter(text, endOfName(place, from), words)) return { next: from };
  const end = endOfName(place, from);
  const startsLine = isTitle && (words[at]!.bits & everyday) !== 0 && words[at]!.shape !== 'capital';
  if (startsLine || followsThing(place, end)) return { next: from };
  return { name: buildName(text, words, { at: from, end, score: isTitle ? 0.9 : 0.85 }), next: end };
}

/** A greeting ends with a comma, a line or an exclamation mark. */
function isAloneAfter(text: string, end: number, words: Word[]): boolean {
  const code = text.charCodeAt(words[end - 1]!.end);
  return code === 44 || code === 33 || code === 10 || Number.isNaN(code) || code === 58 || code === 92;
}

const canBeOfName = (word: Word) => (word.stops & (stop.never | stop.greeting | stop.title)) === 0;

/** Returns the index after the last word that may belong to the name. */
function endOfName({ words, to }: Place, at: number): number {
  let end = at + 1;
  while (end < to && end - at < maxWords) {
    const word = words[end]!;
    if (
      !word.isJoined ||
      !isWordOfName(word, words[at]!) ||
      ((word.shape === 'capitals') !== (words[at]!.shape === 'capitals') && word.shape !== 'initial')
    )
      break;
    end++;
  }
  // An initial at the end is part of the sentence: "Plan B", "Vitamin C".
  while (end - at > 1 && words[end - 1]!.shape === 'initial') end--;
  return end;
}

/** A last name may be an everyday word; other everyday words end the name. */
function isWordOfName(word: Word, head: Word): boolean {
  if (word.shape === 'initial') return true;
  if (word.stops & stop.eitherWay) return isCommonName(head);
  if (word.stops & (stop.never | stop.greeting | stop.title)) return false;
  if (word.stops & stop.organisation) return (word.bits & last) !== 0 && (word.bits & everyday) === 0;
  return (word.bits & everyday) === 0 || (word.bits & (last | first)) !== 0;
}

const isCommonName = (word: Word) => (word.bits & commonFirst) !== 0 && (word.bits & everyday) === 0 && (word.stops & stop.place) === 0;

/** Whether the words are the beginning of a firm, a street or a building: "Madison Avenue", "Hollis & Grey". */
function followsThing({ text, words, to }: Place, end: number): boolean {
  const next = words[end];
  if (next && end < to && next.isJoined && (next.stops & (stop.organisation | stop.eitherWay)) !== 0) return true;
  const after = words[end - 1]!.end;
  if (text.charCodeAt(after) === 38 || isBeforeForm(text, after)) return true;
  if (text.charCodeAt(after) !== 32 || text.charCodeAt(after + 1) !== 38) return false;
  // "Lars & Ines" are persons.
  return !(isGivenName(words[end - 1]!) && next !== undefined && isGivenName(next));
}

const isGivenName = (word: Word) => (word.bits & (commonFirst | everyday | mostlyLast)) === commonFirst && word.stops === 0;

function cueBefore({ text, words }: Place, at: number): number {
  return surenessBefore(text, startWithParticles(text, words[at]!.start));
}

function buildName(text: string, words: Word[], { at, end, score }: { at: number; end: number; score: number }): Name {
  return {
    start: startWithParticles(text, words[at]!.start),
    end: words[end - 1]!.end,
    score: Math.min(score, 0.95),
    words: words.slice(at, end),
  };
}
