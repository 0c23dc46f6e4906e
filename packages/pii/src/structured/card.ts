// Card numbers: the lengths and first digits of their issuers, and the check digit.
import { CARD, OTHER_NUMBER, VERSION } from '../context/cue-words.ts';
import { type Cues, findCues, weigh } from '../context/cues.ts';
import { beginsNumber, endsNumber } from '../numbers/edges.ts';
import { countOf, lengthOf, type Runs } from '../numbers/runs.ts';
import type { Candidate, Rule, Scanned } from '../rule.ts';

const SHORTEST = 12;
const LONGEST = 19;
const MOST_GROUPS = 6;
const SIDES = { own: CARD, against: OTHER_NUMBER | VERSION };
const RELEVANT = SIDES.own | SIDES.against;

export const card: Rule = {
  types: ['Credit Card'],
  digits: SHORTEST,
  find(scanned) {
    const { runs } = scanned.gates;
    const found: Candidate[] = [];
    for (let i = 0; i < countOf(runs); i++) {
      const shape = readShape(scanned.text, runs, i);
      if (!shape) continue;
      const score = scoreCard(scanned, shape);
      if (score <= 0) continue;
      found.push({ type: 'Credit Card', start: shape.start, end: shape.end, score });
      i = shape.lastRun;
    }
    return found;
  },
};

interface Shape {
  digits: string;
  isGrouped: boolean;
  start: number;
  end: number;
  lastRun: number;
}

/** A run of 12 to 19 digits, or groups of them as on a card. */
function readShape(text: string, runs: Runs, i: number): Shape | undefined {
  const length = lengthOf(runs, i);
  const start = runs[2 * i]!;
  if (length > LONGEST || (length !== 4 && length < SHORTEST)) return undefined;
  if (!beginsNumber(text, start)) return undefined;
  if (length === 4) return readGroups(text, runs, i);
  const end = runs[2 * i + 1]!;
  return endsNumber(text, end) ? { digits: text.slice(start, end), isGrouped: false, start, end, lastRun: i } : undefined;
}

/** The longest sequence of groups that is valid as a card, otherwise the longest sequence. */
function readGroups(text: string, runs: Runs, first: number): Shape | undefined {
  const start = runs[2 * first]!;
  let digits = text.slice(start, start + 4);
  let best: Shape | undefined;
  for (let i = first + 1; i < Math.min(countOf(runs), first + MOST_GROUPS); i++) {
    const length = lengthOf(runs, i);
    if (digits.length + length > LONGEST || !joins(text, runs[2 * i - 1]!, runs[2 * i]!)) break;
    digits += text.slice(runs[2 * i], runs[2 * i + 1]);
    const end = runs[2 * i + 1]!;
    const shape = { digits, isGrouped: true, start, end, lastRun: i };
    if (digits.length >= 13 && endsNumber(text, end) && (!best || hasIssuer(digits)) && isUsual(i - first + 1, length)) best = shape;
    if (length < 3) break;
  }
  return best;
}

/** 4-4-4-4, 4-6-5, 4-6-4 and 4-4-4-4-3: three to five groups whose last has three digits or more. */
const isUsual = (groups: number, last: number) => groups >= 3 && groups <= 5 && last >= 3;

/** Whether the separator is one to three spaces or dashes, or a dot. */
function joins(text: string, from: number, to: number): boolean {
  if (to - from > 3) return false;
  if (to - from === 1 && text[from] === '.') return true;
  for (let at = from; at < to; at++) if (text[at] !== ' ' && text[at] !== '-') return false;
  return true;
}

function scoreCard(scanned: Scanned, { digits, isGrouped, start, end }: Shape): number {
  const isCard = hasIssuer(digits) && isChecked(digits);
  if (!isCard && !scanned.key && !isGrouped) return 0;
  const cues = findCues(scanned, { start, end }, RELEVANT);
  if (!isCard) return scoreOfUnchecked(digits, isGrouped, cues);
  return weigh(pickBaseScore(digits, isGrouped), cues, SIDES);
}

function pickBaseScore(digits: string, isGrouped: boolean): number {
  if (isGrouped) return 0.9;
  // Thirteen digits are often timestamps or article numbers, fourteen a date and a time, nineteen an identifier.
  return digits.length === 15 || digits.length === 16 ? 0.65 : 0.4;
}

/** With a wrong check digit, only a key or a near cue makes it a card, since somebody may have mistyped a digit. */
function scoreOfUnchecked(digits: string, isGrouped: boolean, cues: Cues): number {
  if (cues.key & CARD) return 0.8;
  const isNear = (cues.before & CARD) !== 0 && cues.gap < 24;
  return isGrouped && isNear && digits.length >= 15 && hasIssuer(digits) ? 0.55 : 0;
}

/** Ranges of issuers by their first digits, each with the lengths of their numbers. */
function hasIssuer(digits: string): boolean {
  const length = digits.length;
  const two = Number(digits.slice(0, 2));
  const four = Number(digits.slice(0, 4));
  if (digits[0] === '4') return length === 13 || length === 16 || length === 19; // Visa
  if (two >= 51 && two <= 55) return length === 16; // Mastercard
  if (four >= 2200 && four <= 2204) return length === 16; // Mir
  if (four >= 2221 && four <= 2720) return length === 16; // Mastercard
  if (two === 34 || two === 37) return length === 15; // American Express
  if (four === 6011 || two === 65 || (four >= 6440 && four <= 6499)) return length >= 16; // Discover
  if (four >= 3528 && four <= 3589) return length >= 16; // JCB
  if (two === 36 || two === 38 || two === 39 || (four >= 3000 && four <= 3059)) return length === 14 || length === 16; // Diners Club
  if (two === 62 || two === 81 || two === 82 || two === 60) return length >= 16; // UnionPay, RuPay
  if (two === 50 || (two >= 56 && two <= 58) || two === 63 || two === 67) return length >= 12; // Maestro
  return false;
}

/** Checks the Luhn digit. A repeated digit also passes it, but is not a card. */
function isChecked(digits: string): boolean {
  let sum = 0;
  let isSame = true;
  for (let at = 0; at < digits.length; at++) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - 48;
    const doubled = digit > 4 ? digit * 2 - 9 : digit * 2;
    sum += at % 2 === 1 ? doubled : digit;
    if (digits[at] !== digits[0]) isSame = false;
  }
  return !isSame && sum % 10 === 0;
}
