import { countries, stateNames, states } from './street-words.ts';

// The parts after a street: flat, postcode, town, state, country. Each part is read once, from left to right, within a window.

const maxTail = 160;
const maxParts = 7;

/** The end of the address, and whether a part after the street confirms that it is one. */
export interface Tail {
  end: number;
  isConfirmed: boolean;
  /** A flat or a suite is named. */
  hasUnit: boolean;
}

const separator = /\.?(?:[ \t,;\n\r]|\\n){0,8}(?:[-–·|] )?/y;
const unit =
  /(?:(?:apt|apartment|apartamento|apartado|suite|ste|unit|room|rm|floor|fl|bldg|building|lot|flat|apto|ap|bloco|bloque|piso|planta|puerta|portal|interno|int|scala|étage|etage|hs|bus|top|app|wohnung|stock|space|spc|penthouse|ph|level|andar|esc|box)\.? {0,2}#?[A-Za-z]?\d{0,5}[A-Za-z]?(?:-\d{1,4})?|#{1,2} ?[A-Za-z]?\d{1,5}[A-Za-z]?|\d{1,2}[ºª°](?: ?[A-Za-zº]{1,5})?|\d{1,2}(?:st|nd|rd|th) (?:floor|fl))(?![A-Za-z0-9])/iy;
const zip = /\d{5}(?:-\d{4})?(?![\d-])/y;
const britishPostcode = /[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}(?![A-Za-z0-9])/y;
const canadianPostcode = /[A-Z]\d[A-Z][ -]?\d[A-Z]\d(?![A-Za-z0-9])/y;
const irishPostcode = /[A-Z]\d{2} ?[A-Z0-9]{4}(?![A-Za-z0-9])/y;
const australianPostcode = /\d{4}(?!\d)/y;
const brazilianPostcode = /\d{5}-\d{3}(?!\d)/y;
/** Postcodes before a town: 50674, 1016 GV, 1050-053, D-50674. */
const postcodeBefore = /(?:[A-Z]{1,2}-)?(?:\d{4} ?[A-Z]{2}(?![A-Za-z])|\d{4}-\d{3}|\d{3} \d{2}|\d{4,6})(?![\d-])/y;
/** A postcode in a line after the town's name. */
const laterCode = /\d{4,6}(?![\d-])/y;
const word = /[A-ZÀ-ÞĀ-Ž][A-Za-zÀ-ſ'’.-]{0,24}/y;
const smallWord =
  /(?:de|del|della|di|da|do|dos|du|des|la|le|les|los|las|el|an der|am|im|in der|ob der|sur|sous|upon|on|of|the|aan den|aan de|den|bei|en|al|lès|-)(?= )/y;
const stateCode = /[A-Z]{2,3}(?![A-Za-z])/y;

export function readTail(text: string, from: number): Tail {
  let end = from;
  let isConfirmed = false;
  let hasUnit = false;
  for (let part = 0; part < maxParts && end - from < maxTail; part++) {
    const start = afterSeparator(text, end);
    const next = readPart(text, start, start > end);
    if (!next) break;
    end = next.end;
    isConfirmed ||= next.isSure;
    hasUnit ||= next.isUnit === true;
    if (next.isLast) break;
  }
  return { end, isConfirmed, hasUnit };
}

interface Part {
  end: number;
  isSure: boolean;
  isLast?: boolean;
  isUnit?: boolean;
}

function readPart(text: string, start: number, isSeparated: boolean): Part | undefined {
  const unitEnd = mayBeUnit(text.charCodeAt(start)) ? match(unit, text, start) : undefined;
  if (unitEnd && /[\d#]/.test(text.slice(start, unitEnd))) return { end: unitEnd, isSure: false, isUnit: true };
  if (unitEnd && /^(?:penthouse|ph|apt|unit|suite|flat|floor|bldg)\b.* [A-Za-z]$/i.test(text.slice(start, unitEnd)))
    return { end: unitEnd, isSure: false, isUnit: true };
  if (!isSeparated || !mayBegin(text.charCodeAt(start))) return undefined;
  const country = readCountry(text, start);
  if (country) return { end: withCode(text, country), isSure: true, isLast: true };
  return postcodeFirst(text, start) ?? postcodeAlone(text, start) ?? townFirst(text, start);
}

/** Includes a code, as in "South Africa 68793". */
function withCode(text: string, end: number): number {
  const found = /^ \d{4,6}(?![\d-])/.exec(text.slice(end, end + 8));
  return found ? end + found[0].length : end;
}

const mayBeUnit = (code: number) =>
  code === 35 || (code >= 48 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 122) || code === 233 || code === 201;

/** Reads "50674 Köln" or "1016 GV Amsterdam". */
function postcodeFirst(text: string, start: number): Part | undefined {
  const code = match(postcodeBefore, text, start);
  if (!code || text[code] !== ' ') return undefined;
  const town = townEnds(text, code + 1).at(-1);
  return town ? { end: withCounty(text, town), isSure: true } : undefined;
}

/** Includes a county, as in "80134 Napoli NA" or "(NA)". */
function withCounty(text: string, end: number): number {
  const found = /^ \([A-Z]{2}\)/.exec(text.slice(end, end + 6));
  return found ? end + found[0].length : end;
}

function postcodeAlone(text: string, start: number): Part | undefined {
  const end = isDigit(text.charCodeAt(start))
    ? (match(brazilianPostcode, text, start) ?? match(zip, text, start))
    : (match(britishPostcode, text, start) ?? match(canadianPostcode, text, start) ?? match(irishPostcode, text, start));
  return end ? { end, isSure: true } : undefined;
}

/**
 * Reads "Boise, ID 83702", "London BR2 9HT", "Fitzroy VIC 3065", "Peoria, Illinois". After the town comes one of these parts, or the text
 * ends.
 */
function townFirst(text: string, start: number): Part | undefined {
  const ends = townEnds(text, start);
  if (ends.length === 0) return undefined;
  const state = readState(text, start, ends);
  if (state) return { end: state, isSure: true };
  for (let words = Math.min(4, ends.length); words > 0; words--) {
    const end = regionAfter(text, ends[words - 1]!);
    if (end) return { end, isSure: true };
  }
  const town = ends[Math.min(2, ends.length - 1)]!;
  const code = text.charCodeAt(town);
  // "…, Bromley, London BR2 9HT": a second town may follow the first.
  if (code === 44) {
    const second = townEnds(text, afterSeparator(text, town));
    const end = second.length > 0 ? regionAfter(text, second[Math.min(2, second.length - 1)]!) : undefined;
    if (end) return { end, isSure: true };
  }
  // A town in its own line, followed by a line with a number: "Artilleros\n, CO\n Uruguay 64677".
  const line = code === 10 || code === 92 || code === 44 ? codeInLaterLine(text, town) : undefined;
  if (line) return { end: line, isSure: true, isLast: true };
  const isAfterComma = text.charCodeAt(start - 2) === 44 && text.charCodeAt(start - 1) === 32;
  return isAfterComma && isEnd(text, town) ? { end: town, isSure: false, isLast: true } : undefined;
}

/** The end of a state, a postcode or a country right after a town. */
function regionAfter(text: string, town: number): number | undefined {
  const next = afterSeparator(text, town);
  if (next === town || !mayBegin(text.charCodeAt(next))) return undefined;
  return readState(text, next, townEnds(text, next)) ?? postcodeAlone(text, next)?.end ?? readCountry(text, next);
}

function codeInLaterLine(text: string, town: number): number | undefined {
  let at = afterSeparator(text, town);
  for (let words = 0; words < 3; words++) {
    const end = townEnds(text, at).at(2) ?? townEnds(text, at).at(-1);
    if (!end) break;
    at = afterSeparator(text, end);
  }
  return match(laterCode, text, at);
}

const isEnd = (text: string, at: number) => at >= text.length || /["'.;)\n<|!?\\]/.test(text[at]!);

/** Reads "ID 83702", "VIC 3065", "North Carolina 28801", "SP, 01304-001". */
function readState(text: string, start: number, ends: readonly number[]): number | undefined {
  const code = match(stateCode, text, start);
  let end = code && states.has(text.slice(start, code)) ? code : undefined;
  for (let words = Math.min(3, ends.length); words > 0 && !end; words--)
    if (stateNames.has(text.slice(start, ends[words - 1]).toLowerCase())) end = ends[words - 1];
  if (!end) return undefined;
  const next = afterSeparator(text, end);
  if (!isDigitOrCapital(text.charCodeAt(next))) return end;
  return (
    match(brazilianPostcode, text, next) ??
    match(zip, text, next) ??
    match(canadianPostcode, text, next) ??
    match(australianPostcode, text, next) ??
    end
  );
}

function readCountry(text: string, start: number): number | undefined {
  const ends = townEnds(text, start);
  for (let words = Math.min(4, ends.length); words > 0; words--) {
    const end = ends[words - 1]!;
    if (countries.has(text.slice(start, end).toLowerCase())) return end;
  }
  return undefined;
}

const maxTownWords = 5;

/** The positions at which a town may end: after one capitalised word, after two, and so on. Lower-case words may stand between. */
function townEnds(text: string, start: number): number[] {
  const ends: number[] = [];
  let end = match(word, text, start);
  while (end) {
    let bare = end;
    while (bare > start + 1 && isMark(text.charCodeAt(bare - 1))) bare--;
    ends.push(bare);
    // A full stop ends the town, except in "St. Paul".
    const isStop = text.charCodeAt(end - 1) === 46 && end - start > 4;
    if (isStop || ends.length === maxTownWords || text.charCodeAt(end) !== 32) break;
    const small = match(smallWord, text, end + 1);
    end = match(word, text, small ? small + 1 : end + 1);
  }
  return ends;
}

/** `.`, `'`, `’`, `-` */
const isMark = (code: number) => code === 46 || code === 39 || code === 0x2019 || code === 45;
const isDigit = (code: number) => code >= 48 && code <= 57;
const isDigitOrCapital = (code: number) => (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
/** Whether a part of an address can begin with the character: a digit, a capital, a letter with an accent, `#`. */
const mayBegin = (code: number) => isDigitOrCapital(code) || code >= 0xc0 || code === 35;

function afterSeparator(text: string, from: number): number {
  separator.lastIndex = from;
  return separator.test(text) ? separator.lastIndex : from;
}

function match(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
