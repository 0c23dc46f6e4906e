// Keeps the best of the candidates that overlap.
import type { Candidate } from './rule.ts';
import type { PiiType } from './types.ts';

/** A longer candidate wins over one inside it, unless the inner score is higher by more than this. */
const SURER = 0.25;
/** At equal length and score, the earlier type wins. */
const ORDER: readonly PiiType[] = ['Email', 'Credit Card', 'SSN', 'IP Address', 'Date of Birth', 'Phone', 'Address', 'Name'];

/** Sorts ascending and removes overlaps in one sweep: the better of two overlapping neighbours is kept. */
export function withoutOverlaps<C extends Candidate>(candidates: C[]): C[] {
  if (candidates.length < 2) return candidates;
  candidates.sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: C[] = [];
  for (const one of candidates) {
    const last = kept.at(-1);
    if (!last || last.end <= one.start) kept.push(one);
    else if (isBetter(one, last)) kept[kept.length - 1] = one;
  }
  return kept;
}

function isBetter(one: Candidate, other: Candidate): boolean {
  const length = one.end - one.start;
  const otherLength = other.end - other.start;
  const isInside = one.start >= other.start && one.end <= other.end;
  const isAround = one.start <= other.start && one.end >= other.end;
  if (isInside && length < otherLength) return one.score > other.score + SURER;
  if (isAround && length > otherLength) return one.score >= other.score - SURER;
  if (one.score !== other.score) return one.score > other.score;
  if (length !== otherLength) return length > otherLength;
  return ORDER.indexOf(one.type) < ORDER.indexOf(other.type);
}
