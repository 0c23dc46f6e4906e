import type { HeldLine } from './session/log-buffer.ts';

/** The ranges of a line that match the search text, ascending and not overlapping; at most 200, since a line may be one repeated letter. */
export function findMatchRanges(text: string, search: string): [number, number][] {
  const wanted = search.toLowerCase();
  const lower = text.toLowerCase();
  // A few characters change their length in lower case; marking the wrong place would be worse than marking none.
  if (wanted === '' || lower.length !== text.length) return [];
  const ranges: [number, number][] = [];
  for (let at = lower.indexOf(wanted); at >= 0 && ranges.length < 200; at = lower.indexOf(wanted, at + wanted.length))
    ranges.push([at, at + wanted.length]);
  return ranges;
}

/** The next match in the given direction, wrapping around at the end; null if there is none. */
export function stepMatch(matches: readonly number[], current: number | null, direction: 1 | -1): number | null {
  if (matches.length === 0) return null;
  if (current === null) return (direction === 1 ? matches[0] : matches.at(-1)) ?? null;
  const next = direction === 1 ? matches.find((number) => number > current) : matches.findLast((number) => number < current);
  return next ?? (direction === 1 ? matches[0] : matches.at(-1)) ?? null;
}

/** The index of the first line at or after a number; the list is ascending. */
export function indexOfNumber(lines: readonly HeldLine[], number: number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle] as HeldLine).line.number < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
