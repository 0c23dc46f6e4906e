import type { Finding } from '../src/finding.ts';
import type { PiiType } from '../src/types.ts';
import type { Labelled } from './read.ts';

type Span = { type: PiiType; start: number; end: number };
/** `strict` requires equal bounds; `overlap` requires at least half of both spans in common. */
export type Match = 'strict' | 'overlap';
export interface Counts {
  hits: number;
  misses: number;
  falseAlarms: number;
}
export interface Mistake {
  text: Labelled;
  missed: Span[];
  wrong: Span[];
}
export interface Scored {
  types: Map<PiiType, Counts>;
  all: Counts;
  /** Texts without any value in which something was found. */
  alarmedCleanTexts: number;
  cleanTexts: number;
  mistakes: Mistake[];
}

export function score(texts: readonly Labelled[], find: (text: Labelled) => readonly (Span | Finding)[], match: Match = 'overlap'): Scored {
  const scored: Scored = { types: new Map(), all: zero(), alarmedCleanTexts: 0, cleanTexts: 0, mistakes: [] };
  for (const text of texts) {
    const found = find(text);
    const open = new Set(found);
    const missed: Span[] = [];
    // Optional spans are matched last, so that they do not take a finding from a span that counts.
    for (const wanted of text.spans.filter(({ optional }) => !optional)) {
      const hit = [...open].find((one) => one.type === wanted.type && isMatch(wanted, one, match));
      if (hit) open.delete(hit);
      else missed.push(wanted);
      count(scored, wanted.type, hit ? 'hits' : 'misses');
    }
    for (const optional of text.spans.filter(({ optional }) => optional))
      for (const one of open) if (one.type === optional.type && one.start < optional.end && optional.start < one.end) open.delete(one);
    for (const one of open) count(scored, one.type, 'falseAlarms');
    if (text.spans.length === 0) {
      scored.cleanTexts++;
      if (found.length > 0) scored.alarmedCleanTexts++;
    }
    if (missed.length + open.size > 0) scored.mistakes.push({ text, missed, wrong: [...open] });
  }
  return scored;
}

function isMatch(wanted: Span, one: Span, match: Match): boolean {
  if (match === 'strict') return wanted.start === one.start && wanted.end === one.end;
  const common = Math.min(wanted.end, one.end) - Math.max(wanted.start, one.start);
  return common * 2 >= Math.max(wanted.end - wanted.start, one.end - one.start);
}

function count(scored: Scored, type: PiiType, what: keyof Counts) {
  const counts = scored.types.get(type) ?? zero();
  scored.types.set(type, counts);
  counts[what]++;
  scored.all[what]++;
}

const zero = (): Counts => ({ hits: 0, misses: 0, falseAlarms: 0 });

export function computeRates({ hits, misses, falseAlarms }: Counts): { precision: number; recall: number; f1: number } {
  const precision = hits / Math.max(1, hits + falseAlarms);
  const recall = hits / Math.max(1, hits + misses);
  return { precision, recall, f1: (2 * hits) / Math.max(1, 2 * hits + misses + falseAlarms) };
}
