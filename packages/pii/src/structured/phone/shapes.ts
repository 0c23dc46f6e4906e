// The score of a sequence of digit groups as a telephone number, without any cue.
import { isDigit } from '../../characters.ts';
import { DASH, DOT, MIXED, SPACE, type Written } from './read.ts';

/** Seven to fifteen digits without supporting evidence. Only a cue makes them a number. */
export const UNLIKELY = 0.2;

const ZERO = 48;

/** The score of the first `groups` groups. */
export function scoreNumber(written: Written, groups: number): number {
  const total = written.digits[groups - 1]!;
  if (total < 7) return 0;
  if (isSomethingElse(written, groups) || isOneDigit(written, groups)) return 0;
  if (written.hasPlus) return worthWithPlus(written, groups);
  if (written.hasParentheses) return worthInParentheses(written, groups);
  if (groups === 1) return worthOfRun(written, total);
  if (readDigit(written, 0) !== 0) return worthOfGroups(written, groups);
  return readDigit(written, 1) === 0 ? worthWithZeros(written, groups) : worthWithTrunk(written, groups);
}

/** Recognizes the shapes of dates, years, SSNs, IP addresses, decimals, ISBNs and postal codes. */
function isSomethingElse(written: Written, groups: number): boolean {
  const lengths = written.lengths[groups - 1]!;
  const separator = written.separators[groups - 1]!;
  if (isOfThousands(written, groups) || isVersion(written, groups)) return true;
  if (groups === 2) {
    if (lengths === 0x54 || lengths === 0x43 || separator === DOT) return true; // postal codes of the United States and of Portugal
    return lengths === 0x44 && isYear(written, 0);
  }
  if (groups === 1) {
    const first = readDigit(written, 0) * 10 + readDigit(written, 1);
    return lengths === 10 && first >= 15 && first <= 19; // seconds since 1970
  }
  if (lengths === 0x324 && separator !== MIXED) return true;
  if (groups === 4 && separator === DOT && isAddress(written)) return true;
  if (isYear(written, 0) && (groupLength(written, 1) === 1 || (groupLength(written, 1) === 2 && groupLength(written, 2) === 2)))
    return true;
  if (groupLength(written, 0) <= 2 && groupLength(written, 1) <= 2 && isYear(written, 2) && groupValue(written, 1) <= 31) return true;
  const start = groupValue(written, 0);
  return written.digits[groups - 1] === 13 && (start === 978 || start === 979);
}

/** "1 073 741 824": the number starts before its first group. */
function isOfThousands({ text, start, lengths, separators }: Written, groups: number): boolean {
  const isOfThrees = lengths[groups - 1] === 0x333 || lengths[groups - 1] === 0x3333;
  return isOfThrees && separators[groups - 1] === SPACE && text[start - 1] === ' ' && isDigit(text.charCodeAt(start - 2));
}

/** "0.0.3 - 03/08/2015", "14541.0.0": one-digit groups between full stops belong to a version. */
function isVersion({ text, runs, first, lengths, separators }: Written, groups: number): boolean {
  if (separators[groups - 1] !== DOT && separators[groups - 1] !== MIXED) return false;
  for (let i = 0; i + 1 < groups; i++) {
    const isOfOneDigit = (lengths[i]! & 15) === 1 && (lengths[i + 1]! & 15) === 1;
    if (isOfOneDigit && text[runs[2 * (first + i) + 1]!] === '.') return true;
  }
  return false;
}

function worthWithPlus(written: Written, groups: number): number {
  const total = written.digits[groups - 1]!;
  const first = readDigit(written, 0);
  if (total < 8 || first === 0) return 0;
  if (first === 1 && total !== 11) return 0.5;
  return groups > 1 || total > 9 ? 0.9 : 0.6;
}

function worthInParentheses(written: Written, groups: number): number {
  const lengths = written.lengths[groups - 1]!;
  const total = written.digits[groups - 1]!;
  if (lengths === 0x334) return isNorthAmerican(written, 0) ? 0.9 : 0.75;
  if (lengths === 0x1334) return isNorthAmerican(written, 1) ? 0.9 : 0.75;
  if (readDigit(written, 0) === 0 && total >= 8 && total <= 12) return 0.75;
  if (lengths === 0x244 || lengths === 0x254 || lengths === 0x29 || lengths === 0x28) return 0.75; // Brazil
  return total >= 9 ? 0.4 : UNLIKELY;
}

function worthOfRun(written: Written, total: number): number {
  if (total === 10 && isNorthAmerican(written, 0)) return 0.35;
  if (readDigit(written, 0) === 0 && total >= 9 && total <= 12) return 0.4;
  return total >= 8 ? 0.25 : 0.1;
}

function worthWithZeros(written: Written, groups: number): number {
  if (written.lengths[groups - 1] === 0x3334) return 0.85; // 001-212-555-0100
  return written.digits[groups - 1]! >= 10 && readDigit(written, 2) !== 0 ? 0.65 : UNLIKELY;
}

/** Scores a number with a trunk zero, as most of Europe writes it. */
function worthWithTrunk(written: Written, groups: number): number {
  const lengths = written.lengths[groups - 1]!;
  const total = written.digits[groups - 1]!;
  const separator = written.separators[groups - 1]!;
  if (total < 9 || total > 12) return UNLIKELY;
  if (lengths === 0x22222 && separator !== MIXED) return 0.85; // France
  if (lengths === 0x334 && separator === DASH) return 0.65;
  if (separator === MIXED || separator === DOT || groups > 5) return 0.3;
  for (let i = 0; i < groups; i++) if (groupLength(written, i) < 2) return 0.3;
  return 0.6;
}

function worthOfGroups(written: Written, groups: number): number {
  const lengths = written.lengths[groups - 1]!;
  const separator = written.separators[groups - 1]!;
  const first = readDigit(written, 0);
  if (lengths === 0x334) return worthOfTen(isNorthAmerican(written, 0), separator);
  if (lengths === 0x1334 && first === 1) return worthOfTen(isNorthAmerican(written, 1), separator);
  if (lengths === 0x34) return groupValue(written, 0) === 555 && separator === DASH ? 0.5 : 0.35;
  if (lengths === 0x3222 || lengths === 0x2322) return first >= 6 ? 0.55 : UNLIKELY; // Spain
  if (lengths === 0x333) return first >= 6 && separator === SPACE ? 0.4 : UNLIKELY; // Spain, Portugal
  if (lengths === 0x254 || lengths === 0x244) return separator === MIXED ? 0.5 : 0.3; // Brazil
  if (lengths === 0x37 || lengths === 0x36) return first === 3 ? 0.4 : UNLIKELY; // Italy
  return lengths === 0x55 || lengths === 0x1a || lengths === 0x64 ? 0.3 : UNLIKELY;
}

function worthOfTen(isValid: boolean, separator: number): number {
  if (separator === DASH) return isValid ? 0.85 : 0.65;
  if (separator === DOT) return isValid ? 0.75 : 0.55;
  if (separator === SPACE) return isValid ? 0.6 : 0.4;
  return isValid ? 0.65 : 0.4;
}

/** Whether neither area nor exchange of the North American plan begins with 0 or 1. */
function isNorthAmerican(written: Written, from: number): boolean {
  const isLong = from === 0 && written.digits[0] === 11 && readDigit(written, 0) === 1;
  const area = from + (isLong ? 1 : 0);
  return readDigit(written, area) >= 2 && readDigit(written, area + 3) >= 2;
}

/** The digit at a position of the number, without separators; 0 after its end. */
function readDigit({ text, runs, first }: Written, place: number): number {
  let left = place;
  for (let i = first; 2 * i < runs.length; i++) {
    const length = runs[2 * i + 1]! - runs[2 * i]!;
    if (left < length) return text.charCodeAt(runs[2 * i]! + left) - ZERO;
    left -= length;
  }
  return 0;
}

const groupLength = ({ runs, first }: Written, i: number) => runs[2 * (first + i) + 1]! - runs[2 * (first + i)]!;

function groupValue({ text, runs, first }: Written, i: number): number {
  let value = 0;
  for (let at = runs[2 * (first + i)]!; at < runs[2 * (first + i) + 1]!; at++) value = value * 10 + text.charCodeAt(at) - ZERO;
  return value;
}

function isYear(written: Written, i: number): boolean {
  if (groupLength(written, i) !== 4) return false;
  const value = groupValue(written, i);
  return value >= 1900 && value < 2100;
}

function isAddress(written: Written): boolean {
  for (let i = 0; i < 4; i++) if (groupLength(written, i) > 3 || groupValue(written, i) > 255) return false;
  return true;
}

function isOneDigit(written: Written, groups: number): boolean {
  const { text, runs, first } = written;
  const digit = text.charCodeAt(runs[2 * first]!);
  for (let i = first; i < first + groups; i++)
    for (let at = runs[2 * i]!; at < runs[2 * i + 1]!; at++) if (text.charCodeAt(at) !== digit) return false;
  return true;
}
