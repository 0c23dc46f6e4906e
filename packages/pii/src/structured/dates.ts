// Reads dates in the notations of several languages: 1985-03-12, 12/03/85, 12. März 1985, March 12th, 1985.
import { collectCodes, isDigit, isLetter, isWordPart } from '../characters.ts';
import { countOf, lengthOf, type Runs } from '../numbers/runs.ts';
import { MONTHS } from './months.ts';

export interface Day {
  start: number;
  end: number;
  /** The last run of digits in it. */
  lastRun: number;
  hasYear: boolean;
}

const LATEST_YEAR = 2035;
const LONGEST_MONTH = 10;

/** The date that begins at this run of digits, or with the name of a month before it. */
export function readDay(text: string, runs: Runs, i: number): Day | undefined {
  const length = lengthOf(runs, i);
  if (length === 4) return yearFirst(text, runs, i);
  if (length === 8) return bare(text, runs, i);
  if (length > 2 || !mayGoOn(text.charCodeAt(runs[2 * i + 1]!))) return undefined;
  return dayFirst(text, runs, i) ?? dayThenMonth(text, runs, i) ?? monthThenDay(text, runs, i);
}

/** Whether a day may be followed by the character: one of ` ,-./º°`, an ordinal or the end. */
const mayGoOn = (code: number) =>
  (code >= 44 && code <= 47) || code === 32 || code === 0xba || code === 0xb0 || !(code <= 122) || ORDINAL_STARTS.has(code);
const ORDINAL_STARTS = collectCodes('snrteSNRTE');

const numberOf = (text: string, runs: Runs, i: number) => Number(text.slice(runs[2 * i], runs[2 * i + 1]));
const isYear = (value: number) => value >= 1890 && value <= LATEST_YEAR;
const isMonth = (value: number) => value >= 1 && value <= 12;
const isDay = (value: number) => value >= 1 && value <= 31;

/** The separator between two runs: `-`, `/`, `.`, `. ` or a space. */
function between(text: string, runs: Runs, i: number): string | undefined {
  const from = runs[2 * i + 1]!;
  const to = runs[2 * i + 2];
  if (to === undefined || to - from > 3) return undefined;
  const trimmed = text.slice(from, to).trim();
  if (to - from > 1 && trimmed === '') return undefined;
  return trimmed === '' || trimmed === '-' || trimmed === '/' || trimmed === '.' ? trimmed : undefined;
}

function yearFirst(text: string, runs: Runs, i: number): Day | undefined {
  const separator = between(text, runs, i);
  if (i + 2 >= countOf(runs) || separator === undefined || separator !== between(text, runs, i + 1)) return undefined;
  if (lengthOf(runs, i + 1) > 2 || lengthOf(runs, i + 2) > 2) return undefined;
  const [month, day] = [numberOf(text, runs, i + 1), numberOf(text, runs, i + 2)];
  if (!isYear(numberOf(text, runs, i)) || !((isMonth(month) && isDay(day)) || (isMonth(day) && isDay(month)))) return undefined;
  return { start: runs[2 * i]!, end: runs[2 * i + 5]!, lastRun: i + 2, hasYear: true };
}

function dayFirst(text: string, runs: Runs, i: number): Day | undefined {
  const separator = between(text, runs, i);
  if (i + 2 >= countOf(runs) || separator === undefined || separator !== between(text, runs, i + 1)) return undefined;
  const yearLength = lengthOf(runs, i + 2);
  if (lengthOf(runs, i + 1) > 2 || (yearLength !== 4 && (yearLength !== 2 || separator === ''))) return undefined;
  const [first, second] = [numberOf(text, runs, i), numberOf(text, runs, i + 1)];
  if (!((isMonth(first) && isDay(second)) || (isDay(first) && isMonth(second)))) return undefined;
  if (yearLength === 4 && !isYear(numberOf(text, runs, i + 2))) return undefined;
  return { start: runs[2 * i]!, end: runs[2 * i + 5]!, lastRun: i + 2, hasYear: true };
}

/** 19850312 or 12031985. */
function bare(text: string, runs: Runs, i: number): Day | undefined {
  const start = runs[2 * i]!;
  if (!isCentury(text, start) && !isCentury(text, start + 4)) return undefined;
  const digits = text.slice(start, start + 8);
  const parts = (year: number, month: number, day: number) => isYear(year) && isMonth(month) && isDay(day);
  const [first, second] = [Number(digits.slice(0, 2)), Number(digits.slice(2, 4))];
  const isIso = parts(Number(digits.slice(0, 4)), Number(digits.slice(4, 6)), Number(digits.slice(6)));
  const last = Number(digits.slice(4));
  if (!isIso && !parts(last, first, second) && !parts(last, second, first)) return undefined;
  return { start: runs[2 * i]!, end: runs[2 * i + 1]!, lastRun: i, hasYear: true };
}

/** Whether the digits are 18, 19 or 20. */
function isCentury(text: string, at: number): boolean {
  const [first, second] = [text.charCodeAt(at), text.charCodeAt(at + 1)];
  return (first === 49 && (second === 56 || second === 57)) || (first === 50 && second === 48);
}

/** 12 March 1985, 12th of March, 1985, 12. März 1985, 12 de marzo de 1985, 12-Mar-1985. */
function dayThenMonth(text: string, runs: Runs, i: number): Day | undefined {
  if (!isDay(numberOf(text, runs, i))) return undefined;
  let at = skipOrdinal(text, runs[2 * i + 1]!);
  at = skipFiller(text, skipJoints(text, at));
  const end = endOfMonth(text, at);
  if (end === undefined) return undefined;
  return withYear(text, runs, { i: i + 1, start: runs[2 * i]!, end });
}

/** March 12, 1985; Mar. 12th 1985. */
function monthThenDay(text: string, runs: Runs, i: number): Day | undefined {
  if (!isDay(numberOf(text, runs, i))) return undefined;
  const dayStart = runs[2 * i]!;
  let end = dayStart;
  while (end > dayStart - 3 && (text[end - 1] === ' ' || text[end - 1] === '.' || text[end - 1] === '-')) end--;
  let start = end;
  while (start > end - LONGEST_MONTH && isLetter(text.charCodeAt(start - 1))) start--;
  if (start === end || isWordPart(text.charCodeAt(start - 1)) || !MONTHS.has(text.slice(start, end).toLowerCase())) return undefined;
  return withYear(text, runs, { i: i + 1, start, end: skipOrdinal(text, runs[2 * i + 1]!) });
}

/** Adds the next run as the year, if only a comma, a point, a dash or `of` precedes it. */
function withYear(text: string, runs: Runs, { i, start, end }: { i: number; start: number; end: number }): Day {
  const from = runs[2 * i];
  const isNext = from !== undefined && skipFiller(text, skipJoints(text, end)) === from;
  const length = isNext ? lengthOf(runs, i) : 0;
  const hasYear = (length === 4 && isYear(numberOf(text, runs, i))) || (length === 2 && text[end] === '-');
  return hasYear ? { start, end: runs[2 * i + 1]!, lastRun: i, hasYear } : { start, end, lastRun: i - 1, hasYear };
}

function skipJoints(text: string, from: number): number {
  let at = from;
  while (at < from + 3 && " .,-/'".includes(text[at] ?? 'x')) at++;
  return at;
}

/** Skips st, nd, rd, th, er, º and ° after a day. */
function skipOrdinal(text: string, at: number): number {
  if (text[at] === 'º' || text[at] === '°') return at + 1;
  const two = text.slice(at, at + 2).toLowerCase();
  return ORDINALS.has(two) && !isWordPart(text.charCodeAt(at + 2)) ? at + 2 : at;
}
const ORDINALS = new Set(['st', 'nd', 'rd', 'th', 'er']);

function skipFiller(text: string, at: number): number {
  for (const word of ['of ', 'de ', 'del ', 'van ', 'the ']) if (text.startsWith(word, at)) return at + word.length;
  return at;
}

function endOfMonth(text: string, start: number): number | undefined {
  let end = start;
  while (end < start + LONGEST_MONTH && isLetter(text.charCodeAt(end))) end++;
  if (end === start || isLetter(text.charCodeAt(end)) || isDigit(text.charCodeAt(end))) return undefined;
  return MONTHS.has(text.slice(start, end).toLowerCase()) ? end : undefined;
}
