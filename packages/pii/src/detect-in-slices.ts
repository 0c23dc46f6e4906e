import { type DetectOptions, findSpots } from './find.ts';
import type { Finding } from './finding.ts';

/** Takes less than a millisecond of work, and hardly more if the text is hostile. */
const SLICE = 4096;
/** The overlap of two slices, so that a value at their border is complete in one of them, with the cues before and after it. */
const OVERLAP = 512;

/**
 * `detect` in steps: yields the findings of a slice, ascending, so that the caller can yield to other work between two steps. Treats the
 * text as prose: JSON keys are cues like other words.
 */
export function* detectInSlices(text: string, options: DetectOptions = {}): Generator<Finding[], void, void> {
  let decided = 0;
  for (let from = 0; ; from += SLICE - OVERLAP) {
    const to = Math.min(text.length, from + SLICE);
    const isLast = to === text.length;
    const border = isLast ? to : to - OVERLAP / 2;
    const found: Finding[] = [];
    for (const { type, start, end, score } of findSpots(text.slice(from, to), options, false)) {
      if (from + start < decided || from + start >= border) continue;
      found.push({ type, start: from + start, end: from + end, score });
    }
    decided = Math.max(border, found.at(-1)?.end ?? 0);
    yield found;
    if (isLast) return;
  }
}
