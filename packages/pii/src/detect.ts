import { type DetectOptions, findSpots } from './find.ts';
import type { Finding } from './finding.ts';

/**
 * The values in a text, ascending and never overlapping. JSON in the text is parsed: keys are evidence for their values, and strings are
 * unescaped. Takes linear time. Use `detectInSlices` for texts beyond some 64 KB on an event loop.
 */
export function detect(text: string, options: DetectOptions = {}): Finding[] {
  return findSpots(text, options, true).map(({ type, start, end, score }) => ({ type, start, end, score }));
}
