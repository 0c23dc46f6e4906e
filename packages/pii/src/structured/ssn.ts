// Social security numbers of the United States: 3-2-4 digits. Nine digits without separators count only if a cue or a key indicates it.
import { OTHER_NUMBER, SSN, VERSION } from '../context/cue-words.ts';
import { findCues, weigh } from '../context/cues.ts';
import { beginsNumber, endsNumber } from '../numbers/edges.ts';
import { countOf, lengthOf, type Runs } from '../numbers/runs.ts';
import type { Candidate, Rule, Scanned } from '../rule.ts';

const SIDES = { own: SSN, against: OTHER_NUMBER | VERSION };
const RELEVANT = SIDES.own | SIDES.against;
/** The score of a number without any cue, by its separator. */
const BASES: Record<string, number> = { '-': 0.85, ' ': 0.5, '.': 0.3, '/': 0.2, '': 0.15 };

export const ssn: Rule = {
  types: ['SSN'],
  digits: 9,
  find(scanned) {
    const { runs } = scanned.gates;
    const found: Candidate[] = [];
    for (let i = 0; i < countOf(runs); i++) {
      const length = lengthOf(runs, i);
      if (length !== 3 && length !== 9) continue;
      const candidate = length === 3 ? readGroups(scanned, runs, i) : readBare(scanned, runs, i);
      if (!candidate) continue;
      found.push(candidate);
      i += length === 3 ? 2 : 0;
    }
    return found;
  },
};

function readGroups(scanned: Scanned, runs: Runs, i: number): Candidate | undefined {
  if (i + 2 >= countOf(runs) || lengthOf(runs, i + 1) !== 2 || lengthOf(runs, i + 2) !== 4) return undefined;
  const { text } = scanned;
  const separator = reduceSeparator(text.slice(runs[2 * i + 1], Math.min(runs[2 * i + 2]!, runs[2 * i + 1]! + 4)));
  const second = reduceSeparator(text.slice(runs[2 * i + 3], Math.min(runs[2 * i + 4]!, runs[2 * i + 3]! + 4)));
  if (separator === undefined || separator !== second) return undefined;
  const digits =
    text.slice(runs[2 * i], runs[2 * i + 1]) + text.slice(runs[2 * i + 2], runs[2 * i + 3]) + text.slice(runs[2 * i + 4], runs[2 * i + 5]);
  return judge(scanned, { start: runs[2 * i]!, end: runs[2 * i + 5]!, digits, separator });
}

function readBare(scanned: Scanned, runs: Runs, i: number): Candidate | undefined {
  const [start, end] = [runs[2 * i]!, runs[2 * i + 1]!];
  return judge(scanned, { start, end, digits: scanned.text.slice(start, end), separator: '' });
}

function judge(scanned: Scanned, read: { start: number; end: number; digits: string; separator: string }): Candidate | undefined {
  const { start, end, digits, separator } = read;
  if (!beginsNumber(scanned.text, start) || !endsNumber(scanned.text, end)) return undefined;
  const cues = findCues(scanned, { start, end }, RELEVANT);
  const isNamed = ((cues.key | cues.before) & SSN) !== 0;
  if (!isIssued(digits, isNamed)) return undefined;
  const score = weigh(BASES[separator]!, cues, SIDES);
  return score > 0.2 ? { type: 'SSN', start, end, score } : undefined;
}

/** Areas 000 and 666, group 00 and serial 0000 are never issued. Areas from 900 are taxpayer numbers and need a cue. */
function isIssued(digits: string, isNamed: boolean): boolean {
  if (digits.startsWith('000') || digits.startsWith('666') || digits.slice(3, 5) === '00' || digits.endsWith('0000')) return false;
  return digits[0] !== '9' || (isNamed && digits[3]! >= '5');
}

/** Reduces `-`, ` - ` and similar separators to one character; undefined for anything else. */
function reduceSeparator(between: string): string | undefined {
  if (between.length > 3) return undefined;
  const trimmed = between.trim();
  if (trimmed === '') return between.length === 1 ? ' ' : undefined;
  return trimmed === '-' || (between.length === 1 && (trimmed === '.' || trimmed === '/')) ? trimmed : undefined;
}
