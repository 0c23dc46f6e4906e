import type { LogLine } from '@paddock/contract';
import type { HeldLine } from './log-buffer.ts';

export type Level = LogLine['level'];

/** How many of the held lines have each level. */
export function countLevels(lines: readonly HeldLine[]): Record<Level, number> {
  const counts = { debug: 0, info: 0, warning: 0, error: 0 };
  for (const { line } of lines) counts[line.level] += 1;
  return counts;
}

/** No chosen level means all. */
export const withLevels = (lines: readonly HeldLine[], levels: ReadonlySet<Level>): readonly HeldLine[] =>
  levels.size === 0 ? lines : lines.filter(({ line }) => levels.has(line.level));

/** The numbers of the lines that contain the words, ignoring case; none for an empty search. */
export function matchingNumbers(lines: readonly HeldLine[], search: string): number[] {
  const wanted = search.toLowerCase();
  if (wanted === '') return [];
  return lines.filter(({ text }) => text.toLowerCase().includes(wanted)).map(({ line }) => line.number);
}

/** Where the words stand in one line, ascending and apart; at most 200, since a line may be one letter repeated. */
export function rangesOf(text: string, search: string): [number, number][] {
  const wanted = search.toLowerCase();
  const lower = text.toLowerCase();
  // A few letters change their length in lower case; marking the wrong place would be worse than marking none.
  if (wanted === '' || lower.length !== text.length) return [];
  const ranges: [number, number][] = [];
  for (let at = lower.indexOf(wanted); at >= 0 && ranges.length < 200; at = lower.indexOf(wanted, at + wanted.length))
    ranges.push([at, at + wanted.length]);
  return ranges;
}

/** The next match after the current one in the given direction, around the end; null when there is none. */
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
