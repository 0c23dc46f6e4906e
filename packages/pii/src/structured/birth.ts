// Dates of birth. A date counts only if a cue or a key indicates it; an age or a year alone does not count.

import { isDigit, isWordPart } from '../characters.ts';
import { BIRTH, OTHER_DATE } from '../context/cue-words.ts';
import { cueBehind, findCues } from '../context/cues.ts';
import { beginsNumber } from '../numbers/edges.ts';
import { countOf } from '../numbers/runs.ts';
import type { Candidate, Rule, Scanned } from '../rule.ts';
import { type Day, readDay } from './dates.ts';

const RELEVANT = BIRTH | OTHER_DATE;

export const birth: Rule = {
  types: ['Date of Birth'],
  digits: 1,
  find(scanned) {
    const { runs } = scanned.gates;
    const found: Candidate[] = [];
    for (let i = 0; i < countOf(runs); i++) {
      const day = readDay(scanned.text, runs, i);
      if (!day || !standsAlone(scanned, day)) continue;
      const score = scoreBirthDate(scanned, day, found.at(-1)?.end ?? 0);
      if (score > 0) found.push({ type: 'Date of Birth', start: day.start, end: day.end, score });
      i = Math.max(i, day.lastRun);
    }
    return found;
  },
};

/** Whether the date is not part of a longer number. A timestamp (`T10:30`) is a date of birth only by its key. */
function standsAlone({ text, key }: Scanned, { start, end }: Day): boolean {
  if (!beginsNumber(text, start)) return false;
  const next = text.charCodeAt(end);
  if (next === 84 && isDigit(text.charCodeAt(end + 1))) return key !== undefined;
  if (isWordPart(next)) return false;
  return !((next === 45 || next === 47 || next === 46) && isDigit(text.charCodeAt(end + 1)));
}

/** A cue refers to the first date after it. `before` is the end of the last found date. */
function scoreBirthDate(scanned: Scanned, { start, end, hasYear }: Day, before: number): number {
  const cues = findCues(scanned, { start, end }, RELEVANT);
  if (cues.key & BIRTH) return 0.95;
  const isTaken = start - cues.gap < before;
  if (cues.before & BIRTH && !isTaken) return hasYear ? 0.9 : 0.6;
  if (cues.before & OTHER_DATE || cues.key & OTHER_DATE) return 0;
  const behind = isTaken ? cueBehind(scanned.text, end, RELEVANT) : cues.behind;
  return behind & BIRTH && hasYear ? 0.75 : 0;
}
