export interface ChartPoint {
  /** Milliseconds since 1970. */
  at: number;
  /** Null where nothing was measured. */
  value: number | null;
}

/** How an axis grows: in steps of 1, 2, 5 and 10, in powers of two, or always from nothing to all. */
export type ChartScale = 'count' | 'bytes' | 'share';

/** The value at the upper edge: round, and never below the highest point. Without any value it is 1, so that nothing is divided by zero. */
export function chartTop(points: readonly ChartPoint[], scale: ChartScale): number {
  const highest = points.reduce((most, { value }) => Math.max(most, value ?? 0), 0);
  if (scale === 'share' || highest <= 0) return 1;
  if (scale === 'bytes') return 2 ** Math.ceil(Math.log2(highest));
  const power = 10 ** Math.floor(Math.log10(highest));
  const step = [1, 2, 5, 10].find((each) => each * power >= highest) ?? 10;
  return step * power;
}

/**
 * The line through the points in a square of 100 by 100, begun anew after each gap, and the points that stand alone between two gaps:
 * a line of one point is not to be seen.
 */
export function chartShape(points: readonly ChartPoint[], top: number): { path: string; dots: { x: number; y: number }[] } {
  const runs: { x: number; y: number }[][] = [];
  let run: { x: number; y: number }[] | undefined;
  for (const [index, { value }] of points.entries()) {
    if (value === null) {
      run = undefined;
      continue;
    }
    if (!run) runs.push((run = []));
    run.push({ x: xOf(index, points.length), y: round(100 - (Math.min(value, top) / top) * 100) });
  }
  const path = runs
    .filter((each) => each.length > 1)
    .map((each) => each.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join(''))
    .join('');
  return { path, dots: runs.filter((each) => each.length === 1).flat() };
}

/** Where a point stands from left to right, of 100. */
export const xOf = (index: number, count: number) => (count < 2 ? 50 : round((index / (count - 1)) * 100));

/** Which point is nearest to a share of the width. */
export const indexAt = (share: number, count: number) => Math.min(count - 1, Math.max(0, Math.round(share * (count - 1))));

export function chartSummary(points: readonly ChartPoint[]): { last: number; least: number; most: number } | null {
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]));
  const last = values.at(-1);
  if (last === undefined) return null;
  return { last, least: Math.min(...values), most: Math.max(...values) };
}

const round = (value: number) => Math.round(value * 100) / 100;
