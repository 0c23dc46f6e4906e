// Finds values in one piece of text: prose, or one value of a JSON document with its key.
import { hasOtherSequence } from './controls.ts';
import type { Finding } from './finding.ts';
import { fold, unfold } from './fold.ts';
import { computeGates, type Gates } from './gates.ts';
import { withoutOverlaps } from './overlaps.ts';
import type { Candidate, Scanned } from './rule.ts';
import { rules } from './rules.ts';
import type { PiiType } from './types.ts';

export interface Place {
  key?: string | undefined;
  parent?: string | undefined;
  isPerson?: boolean | undefined;
  isThing?: boolean | undefined;
}

export interface Wanted {
  types?: ReadonlySet<PiiType> | undefined;
  minScore: number;
}

/** Candidates below this score are not findings. */
export const USUAL_SCORE = 0.5;

export function findInText(text: string, place: Place, wanted: Wanted): Finding[] {
  const gates = computeGates(text);
  if (!gates.mustFold) return findFolded(text, gates, { place, wanted });
  const found = findWithout(text, { place, wanted });
  if (!hasOtherSequence(text)) return found;
  return withoutOverlaps([...found, ...findWithout(text, { place, wanted, skipsSequences: false })]);
}

/** Searches the text without its invisible characters. */
function findWithout(text: string, { skipsSequences, ...rest }: { place: Place; wanted: Wanted; skipsSequences?: boolean }): Finding[] {
  const folded = fold(text, skipsSequences);
  const found = findFolded(folded.text, computeGates(folded.text), rest);
  const { offsets } = folded;
  return offsets === undefined ? found : found.map((one) => ({ ...one, ...unfold(one, offsets, text) }));
}

function findFolded(text: string, gates: Gates, { place, wanted }: { place: Place; wanted: Wanted }): Finding[] {
  const scanned: Scanned = { text, gates, key: place.key, parent: place.parent, isPerson: place.isPerson, isThing: place.isThing };
  const candidates: Candidate[] = [];
  for (const rule of rules) {
    if (rule.digits !== undefined && gates.digits < rule.digits) continue;
    const found = rule.find(scanned);
    for (const one of found) if (one.score >= wanted.minScore) candidates.push(one);
  }
  const kept = withoutOverlaps(candidates);
  const { types } = wanted;
  return types ? kept.filter(({ type }) => types.has(type)) : kept;
}
