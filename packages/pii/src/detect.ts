import { type DetectOptions, findSpots } from './find.ts';
import type { Finding } from './finding.ts';

/**
 * The values in a text, ascending and never overlapping. JSON in the text is understood: keys speak for their values, and strings are read
 * with their escapes undone. Takes linear time; for a text beyond some 64 KB on an event loop there is `detectInSlices`.
 */
export function detect(text: string, options: DetectOptions = {}): Finding[] {
  return findSpots(text, options, true).map(({ type, start, end, score }) => ({ type, start, end, score }));
}
