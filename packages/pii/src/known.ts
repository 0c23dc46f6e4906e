// Values that were found once, so that later copies are found without any cue. Matches whole words only, in one pass over a text.
import { isWordPart } from './characters.ts';
import type { Finding } from './finding.ts';
import type { PiiType } from './types.ts';

export interface Known {
  /** Remembers a value. Returns false if it is too short to be distinguished from other text, too long, or if there are too many. */
  add(type: PiiType, value: string): boolean;
  /** The occurrences of the values in a text, ascending and without overlaps: the longest one at each position. */
  find(text: string): Finding[];
  readonly size: number;
}

const MOST_VALUES = 1000;
const MOST_UNITS = 65_536;
const LONGEST_VALUE = 256;
const MOST_WORDS = 16;
const SHORTEST_NAME = 3;
const SHORTEST_NUMBER = 6;
/** Maximum characters between two words of a value: `Ada  Lovelace`, `123-45-6789`. */
const WIDEST_GAP = 3;
const SCORE = 0.9;
/** Types that are compared by their digits, however these are grouped. */
const NUMBERS: ReadonlySet<PiiType> = new Set(['Phone', 'SSN', 'Credit Card']);

/** A node of the word tree; `type` is set if a value ends here. */
interface Node {
  next: Map<string, Node>;
  type?: PiiType;
  /** A one-word name that counts only with its capital: Will, Rose. */
  exact?: string;
}

export function known(): Known {
  const words: Node = { next: new Map() };
  const numbers = new Map<string, PiiType>();
  /** A bit for each length of a value's first word, by its first character. Most words of a text are ruled out by it. */
  const lengths = new Int32Array(128);
  let size = 0;
  let units = 0;
  const mayBegin = (first: number, length: number) => {
    if (isDigit(first) && numbers.size > 0) return true;
    return ((lengths[smallLetter(first)] ?? 0) & lengthBit(length)) !== 0;
  };
  const hasRoom = (value: string) => size < MOST_VALUES && units + value.length <= MOST_UNITS && value.length <= LONGEST_VALUE;
  const count = (value: string) => {
    size++;
    units += value.length;
    return true;
  };
  return {
    add(type, value) {
      if (!hasRoom(value)) return false;
      if (NUMBERS.has(type)) {
        const digits = value.replace(/\D/g, '');
        if (digits.length < SHORTEST_NUMBER || digits.length > 20) return false;
        if (numbers.has(digits)) return true;
        numbers.set(digits, type);
        return count(value);
      }
      const places = splitWords(value);
      const path = places.map((word, at) => wordKey(value, word, places[at - 1]));
      if (path.length === 0 || path.length > MOST_WORDS || value.length < SHORTEST_NAME) return false;
      let node = words;
      for (const word of path) {
        const next: Node = node.next.get(word) ?? { next: new Map() };
        node.next.set(word, next);
        node = next;
      }
      if (node.type !== undefined) return true;
      const [first] = places;
      lengths[smallLetter(value.charCodeAt(first!.start))]! |= lengthBit(first!.end - first!.start);
      node.type = type;
      if (type === 'Name' && places.length === 1) node.exact = value.slice(places[0]!.start, places[0]!.end);
      return count(value);
    },
    find(text) {
      if (size === 0) return [];
      const found: Finding[] = [];
      for (let at = 0; at < text.length; ) {
        const start = at;
        while (at < text.length && isWordPart(text.charCodeAt(at))) at++;
        if (at === start) at++;
        else if (mayBegin(text.charCodeAt(start), at - start)) {
          const places = [{ start, end: at }];
          const last = findWords(text, places, words) ?? findDigits(text, places, numbers);
          if (!last) continue;
          at = last.end;
          found.push({ type: last.type, start, end: at, score: SCORE });
        }
      }
      return found;
    },
    get size() {
      return size;
    },
  };
}

interface Place {
  start: number;
  end: number;
}

/** The words and numbers of a text: letters, digits and underscores without anything between them. */
function splitWords(text: string): Place[] {
  const places: Place[] = [];
  let at = 0;
  while (at < text.length) {
    if (!isWordPart(text.charCodeAt(at))) {
      at++;
      continue;
    }
    const start = at;
    while (at < text.length && isWordPart(text.charCodeAt(at))) at++;
    places.push({ start, end: at });
  }
  return places;
}

/** A word in lower case, with the characters that join it to the word before: `10.0.0.1` is not `10, 0, 0, 1`. */
function wordKey(text: string, { start, end }: Place, before: Place | undefined): string {
  const word = text.slice(start, end).toLowerCase();
  return before === undefined ? word : text.slice(before.end, start).trim() + word;
}

/** All letters beyond ASCII count as one, because their lower-case form may have another first character and length. */
const OTHER = 127;
const smallLetter = (code: number): number => {
  if (code >= OTHER) return OTHER;
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
};
const lengthBit = (length: number): number => 1 << Math.min(length, 31);
const isDigit = (code: number) => code >= 0x30 && code <= 0x39;

/** Adds the word that follows the last one, if it is close enough to belong to the same value. */
function nextWord(text: string, places: Place[]): Place | undefined {
  const { end: from } = places.at(-1)!;
  let start = from;
  while (start < text.length && start - from <= WIDEST_GAP && !isWordPart(text.charCodeAt(start))) start++;
  if (start >= text.length || start - from > WIDEST_GAP) return undefined;
  let end = start;
  while (end < text.length && isWordPart(text.charCodeAt(end)) && end - start <= LONGEST_VALUE) end++;
  const place = { start, end };
  places.push(place);
  return place;
}

interface Last {
  end: number;
  type: PiiType;
}

/** The longest value that begins at the first place. A value has a maximum number of words. */
function findWords(text: string, places: Place[], root: Node): Last | undefined {
  let node: Node | undefined = root;
  let longest: Last | undefined;
  for (let i = 0; i < MOST_WORDS; i++) {
    const place = places[i] ?? nextWord(text, places);
    if (!place || place.end - place.start > LONGEST_VALUE) break;
    node = node.next.get(wordKey(text, place, places[i - 1]));
    if (!node) break;
    const isMeant = node.exact === undefined || text.startsWith(node.exact, place.start);
    if (node.type !== undefined && isMeant) longest = { end: place.end, type: node.type };
  }
  return longest;
}

/** A number with known digits, however they are grouped. */
function findDigits(text: string, places: Place[], numbers: Map<string, PiiType>): Last | undefined {
  if (numbers.size === 0) return undefined;
  let digits = '';
  for (let i = 0; i < MOST_WORDS; i++) {
    const place = places[i] ?? nextWord(text, places);
    if (!place || place.end - place.start > 20) return undefined;
    const word = text.slice(place.start, place.end);
    if (!/^\d{1,20}$/.test(word)) return undefined;
    digits += word;
    const type = numbers.get(digits);
    if (type !== undefined) return { end: place.end, type };
    if (digits.length > 20) return undefined;
  }
  return undefined;
}
