import { type DetectOptions, findSpots } from './find.ts';
import type { Finding } from './finding.ts';

/** Less than a millisecond of work, and hardly more if the text is hostile. */
const SLICE = 4096;
/** What two slices share, so that a value at their border is whole in one of them, with the cues before and behind it. */
const OVERLAP = 512;

/**
 * `detect` in steps: yields the findings of a slice, ascending; between two steps the caller lets others have their turn. Takes the text for
 * prose: keys of JSON are cues like other words.
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
