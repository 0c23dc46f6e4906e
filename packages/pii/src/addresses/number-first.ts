import { bitsOf } from '../names/known-words.ts';
import { knownWord } from '../names/word-list.ts';
import { isCount, isLabelled } from './context.ts';
import { frenchWords, perhapsSuffixes, sureSuffixes } from './street-words.ts';
import { readTail, type Tail } from './tail.ts';

export interface Street {
  start: number;
  end: number;
  score: number;
}

const maxNameWords = 5;
const streetWord = /[A-Za-zÀ-ſ0-9'’.-]{1,24}/y;
const number = /(?:[A-Za-z]|-\d{1,4}| ?1\/2| bis| ter| quater)?,? /y;

/** Reads "1187 Larkspur Lane, Apt 4B, Boise, ID 83702"; `from` and `to` are the bounds of the number. */
export function englishStreet(text: string, from: number, to: number): Street | undefined {
  if (!mayBegin(text, from)) return undefined;
  number.lastIndex = to;
  if (!number.test(text)) return undefined;
  const start = number.lastIndex;
  const suffix = readSuffix(text, start);
  if (suffix) {
    const tail = readTail(text, suffix.end);
    if (!tail.isConfirmed && tail.end === suffix.end && isNoHouse(text, from, suffix.end)) return undefined;
    const score = scoreAddress(suffix, tail);
    return score > 0 ? { start: withUnitBefore(text, from), end: tail.end, score } : undefined;
  }
  return withoutSuffix(text, from, start);
}

const isNoHouse = (text: string, from: number, end: number) => isBeforeThing(text, end) || isCount(text, end) || isLabelled(text, from);

const capitalWord = /[A-Z][a-z]{2,20}/y;

/** "12 Oak Street Desk Lamp": a capitalised everyday word follows, so the whole is the name of a thing. */
function isBeforeThing(text: string, end: number): boolean {
  if (text.charCodeAt(end) !== 32) return false;
  capitalWord.lastIndex = end + 1;
  return capitalWord.test(text) && (bitsOf(text, end + 1, capitalWord.lastIndex) & (knownWord.everyday | knownWord.rareWord)) !== 0;
}

/** Whether the number is not a price, a time, or part of a longer number or a path. */
function mayBegin(text: string, from: number): boolean {
  const before = text.charCodeAt(from - 1);
  if (from === 0 || before === 32 || before === 10 || before === 34 || before === 40 || before === 39 || before === 62 || before === 9)
    return true;
  return before === 44 || before === 59 || before === 58 || before === 124 || before === 42 || before === 110 || before === 47;
}

interface Suffix {
  end: number;
  isSure: boolean;
  isCapital: boolean;
  words: number;
}

const smallWords = new Set(['of', 'the', 'de', 'del', 'la', 'las', 'los', 'el', 'and', 'on', 'in', 'at', 'du', 'des', 'st']);

/** The longest sequence of a few words that ends with a street suffix. */
function readSuffix(text: string, start: number): Suffix | undefined {
  let at = start;
  let found: Suffix | undefined;
  let startsWithCapital = false;
  for (let words = 0; words <= maxNameWords; words++) {
    streetWord.lastIndex = at;
    if (!streetWord.test(text)) break;
    let end = streetWord.lastIndex;
    if (isDigit(text.charCodeAt(at)) && isDigit(text.charCodeAt(end - 1))) break;
    const isCapital = isCapitalOrDigit(text.charCodeAt(at));
    const plain = text.slice(at, end).toLowerCase().replace(/\.$/, '');
    const isRoute = /^(?:highway|hwy|route|rt|road|rd|interstate|us|sr|cr|fm)$/.test(plain);
    const numbered = isRoute && /^ \d{1,4}(?![\d.,]\d)/.exec(text.slice(end, end + 6));
    if (numbered && isCapital && text[start - 2] !== ',')
      return { end: end + numbered[0].length, isSure: true, isCapital: true, words: words + 1 };
    if (words > 0 && (sureSuffixes.has(plain) || perhapsSuffixes.has(plain))) {
      if (text[end - 1] === '.' && !/^\.(?:[ ,\n]|$)/.test(text.slice(end - 1, end + 1))) end--;
      const isBeyond = found !== undefined && found.isSure && !sureSuffixes.has(plain);
      if (!isBeyond) found = { end: text[end - 1] === '.' ? end - 1 : end, isSure: sureSuffixes.has(plain), isCapital, words };
    }
    // Street names are capitalised or lower-case throughout. Only a few lower-case words occur between capitalised ones.
    if (words === 0) startsWithCapital = isCapital;
    else if (startsWithCapital && !isCapital && !found && !smallWords.has(plain)) break;
    if (!isCapital && !found && words > 2) break;
    if (found && text[end] !== ' ') break;
    if (text[end] !== ' ' || (text[end - 1] === '.' && plain.length > 3)) break;
    at = end + 1;
    if (found && words - found.words >= 1) break;
  }
  return found && withDirection(text, found);
}

/** Includes a direction: "40th Street NW". */
function withDirection(text: string, suffix: Suffix): Suffix {
  const direction = /^\.? (?:N|S|E|W|NE|NW|SE|SW|North|South|East|West)\b\.?/.exec(text.slice(suffix.end, suffix.end + 8));
  return direction ? { ...suffix, end: suffix.end + direction[0].replace(/\.$/, '').length } : suffix;
}

function scoreAddress(suffix: Suffix, tail: Tail): number {
  const hasMore = tail.end > suffix.end;
  if (suffix.isSure) {
    if (tail.isConfirmed) return 0.95;
    if (!suffix.isCapital) return hasMore ? 0.6 : 0.45;
    return hasMore ? 0.85 : 0.7;
  }
  if (tail.isConfirmed) return suffix.isCapital ? 0.85 : 0.6;
  return hasMore && suffix.isCapital ? 0.6 : 0.4;
}

const plainName = /[A-ZÀ-Þ][a-zß-ſ'’][A-Za-zÀ-ſ'’-]{0,23}(?: [A-ZÀ-Þ][A-Za-zÀ-ſ'’.-]{1,24}){0,2}/y;

/**
 * Reads "48 Mount Pleasant, Liverpool L3 5SD" or "12 The Green, …": any name that town and postcode follow. Also "12 rue des Lilas, 69003
 * Lyon".
 */
function withoutSuffix(text: string, from: number, start: number): Street | undefined {
  const french = frenchStreet(text, start);
  if (french) {
    const tail = readTail(text, french);
    if (!tail.isConfirmed && tail.end === french && !isFrenchName(text, start)) return undefined;
    return { start: from, end: tail.end, score: tail.isConfirmed ? 0.95 : 0.75 };
  }
  plainName.lastIndex = start;
  if (!plainName.test(text)) return undefined;
  const end = plainName.lastIndex;
  const house = withHouse(text, end);
  // A town follows after a comma or in the next line.
  const next = text.charCodeAt(house);
  const isFollowed = next === 44 || next === 10 || next === 13 || next === 92;
  if (!isFollowed && !startsUnit.test(text.slice(house, house + 5)) && house === end) return undefined;
  const tail = readTail(text, house);
  if (tail.hasUnit) return { start: withUnitBefore(text, from), end: tail.end, score: tail.isConfirmed ? 0.9 : 0.7 };
  if (isNumberAgain(text, end) && isAfterMove(text, from)) return { start: withUnitBefore(text, from), end: tail.end, score: 0.6 };
  return tail.isConfirmed && isPostcodeWithin(text.slice(end, tail.end))
    ? { start: withUnitBefore(text, from), end: tail.end, score: 0.75 }
    : undefined;
}

const isNumberAgain = (text: string, end: number) => withHouse(text, end) > end;

const moves =
  /(?:lives?|living|lived|resid\w{1,5}|located|address(?: is)?|sent|ship|shipped|deliver|delivered|meet me|moved|staying|based) (?:at|to|on|in|is) (?:\d{1,5} )?$/i;
const isAfterMove = (text: string, from: number) => moves.test(text.slice(Math.max(0, from - 32), from));

/** Includes a second number, as in "6750 Koskikatu 25 Apt. 864". */
function withHouse(text: string, end: number): number {
  const found = /^ \d{1,4}\.?(?![\d-])/.exec(text.slice(end, end + 7));
  return found ? end + found[0].length : end;
}

const startsUnit = /^ (?:apt|suit|ste|unit|#)/i;
const isPostcodeWithin = (tail: string) => /\d{4}|\d[A-Z]{2}$|\d[A-Z]\d/.test(tail);

const frenchName = /(?:[A-Za-z]{3,12}) (?:(?:de|du|des|la|le|les|à|au|aux|sur)(?:$|[^A-Za-zÀ-ſ])|[dl]['’]|([A-ZÀ-Þ][A-Za-zÀ-ſ-]{0,24}))/y;

/** Accepts "8 rue de Lille" and "5 avenue Foch", but not "12 place settings" and "20 Square Tables". */
function isFrenchName(text: string, start: number): boolean {
  frenchName.lastIndex = start;
  const found = frenchName.exec(text);
  if (!found) return false;
  const word = found[1];
  return (
    word === undefined || (bitsOf(word, 0, word.length) & (knownWord.everyday | knownWord.first | knownWord.last)) !== knownWord.everyday
  );
}

function frenchStreet(text: string, start: number): number | undefined {
  streetWord.lastIndex = start;
  if (!streetWord.test(text) || text[streetWord.lastIndex] !== ' ') return undefined;
  if (!frenchWords.has(text.slice(start, streetWord.lastIndex).toLowerCase())) return undefined;
  let end = streetWord.lastIndex;
  for (let words = 0; words < 6 && text[end] === ' '; words++) {
    streetWord.lastIndex = end + 1;
    const isNumber = /^\d/.test(text.slice(end + 1, end + 2));
    if (isNumber || !streetWord.test(text) || /^(?:apt|suite|unit|appt?|bât)/i.test(text.slice(end + 1, end + 6))) break;
    const isSmall = !isCapitalOrDigit(text.charCodeAt(end + 1));
    if (
      isSmall &&
      !/^(?:de|du|des|la|le|les|l|d|à|au|aux|en|sur|saint|sainte|et|l['’].*|d['’].*)$/i.test(text.slice(end + 1, streetWord.lastIndex)) &&
      words > 0
    )
      break;
    end = streetWord.lastIndex;
  }
  return text[end - 1] === '.' ? end - 1 : end;
}

/** Reads the unit in "Flat 3, 90 Kingsway" or "Unit 5, 210 Queen Street". */
export function withUnitBefore(text: string, number: number): number {
  // Some addresses have a lot number before the house number.
  const lot = /(?:^|[^\w.,$€£:/-]|\n)(\d{1,5} )$/.exec(text.slice(Math.max(0, number - 8), number));
  const from = lot ? number - lot[1]!.length : number;
  const before = text.slice(Math.max(0, from - 24), from);
  const found =
    /(?:^|[^A-Za-z])((?:flat|unit|apt|apartment|suite|room|floor|level|shop|office|lot)\.? #?[A-Za-z]?\d{0,4}[A-Za-z]?(?:, | ))$/i.exec(
      before,
    );
  return found ? from - found[1]!.length : from;
}

const isDigit = (code: number) => code >= 48 && code <= 57;
const isCapitalOrDigit = (code: number) => (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || (code >= 0xc0 && code <= 0xde);
