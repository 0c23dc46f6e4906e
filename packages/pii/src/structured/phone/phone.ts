// Telephone numbers: international ones, those of North America in all notations, and the national forms of Europe and Brazil.
import { BIRTH, CARD, IP, OTHER_DATE, OTHER_NUMBER, PHONE, SSN, VERSION } from '../../context/cue-words.ts';
import { type Cues, findCues, weigh } from '../../context/cues.ts';
import { endsNumber } from '../../numbers/edges.ts';
import { countOf, lengthOf, type Runs } from '../../numbers/runs.ts';
import type { Candidate, Rule, Scanned } from '../../rule.ts';
import { endOfExtension, LONGEST_SEPARATOR, MOST_DIGITS, readPhone, type Written } from './read.ts';
import { scoreNumber, UNLIKELY } from './shapes.ts';

const SIDES = { own: PHONE, against: OTHER_NUMBER | VERSION | SSN | CARD | IP | BIRTH | OTHER_DATE };
const RELEVANT = SIDES.own | SIDES.against;

/** Lower scores are not candidates. */
const LOWEST = 0.45;

export const phone: Rule = {
  types: ['Phone'],
  digits: 7,
  find(scanned) {
    const { runs } = scanned.gates;
    const found: Candidate[] = [];
    for (let i = 0; i < countOf(runs); i++) {
      if (!hasEnough(runs, i)) continue;
      const written = readPhone(scanned.text, runs, i);
      const best = written && longest(scanned, written);
      if (!best) continue;
      found.push(best.candidate);
      i += best.groups - 1;
    }
    return found;
  },
};

/** Whether at least seven digits follow with short gaps: a quick test before the number is read. */
function hasEnough(runs: Runs, first: number): boolean {
  let digits = lengthOf(runs, first);
  if (digits > MOST_DIGITS) return false;
  for (let i = first + 1; digits < 7; i++) {
    if (i >= countOf(runs) || runs[2 * i]! - runs[2 * i - 1]! > LONGEST_SEPARATOR) return false;
    digits += lengthOf(runs, i);
  }
  return true;
}

/** The longest sequence of groups from here that is a number. */
function longest(scanned: Scanned, written: Written): { candidate: Candidate; groups: number } | undefined {
  const { text, start, runs, first } = written;
  let before: Cues | undefined;
  for (let groups = written.digits.length; groups > 0; groups--) {
    const worth = scoreNumber(written, groups);
    if (worth === 0) continue;
    const end = runs[2 * (first + groups) - 1]!;
    if (!endsNumber(text, end)) continue;
    before ??= findCues(scanned, { start, end }, RELEVANT);
    // An unlikely number needs a cue, so the words after it are read if there is none before.
    if (worth <= UNLIKELY && !((before.before | before.key | before.behind) & PHONE)) continue;
    const whole = endOfExtension(text, end);
    const score = weigh(worth, before.behind ? findCues(scanned, { start, end: whole }, RELEVANT) : before, SIDES);
    if (score >= LOWEST) return { candidate: { type: 'Phone', start, end: whole, score }, groups };
  }
  return undefined;
}
