import { expect, test } from 'vitest';
import { type ChartPoint, chartShape, chartSummary, chartTop, indexAt } from './chart-shape.ts';

const series = (...values: (number | null)[]): ChartPoint[] => values.map((value, index) => ({ at: index * 1000, value }));

test('the line ends at a gap and begins anew behind it; a point alone is a dot', () => {
  const { path, dots } = chartShape(series(0, 10, null, 5, null, 10, 0), 10);
  expect(path).toBe('M0 100L16.67 0M83.33 0L100 100');
  expect(dots).toEqual([{ x: 50, y: 50 }]);
});

test('the upper edge is round and never below the highest value', () => {
  expect(chartTop(series(3, 41, null), 'count')).toBe(50);
  expect(chartTop(series(100), 'count')).toBe(100);
  expect(chartTop(series(0.3), 'count')).toBeCloseTo(0.5);
  expect(chartTop(series(5 * 1024 ** 3), 'bytes')).toBe(8 * 1024 ** 3);
  expect(chartTop(series(0.4), 'share')).toBe(1);
  expect(chartTop(series(null, 0), 'count')).toBe(1);
});

test('the summary leaves out what was not measured, and without a value there is none', () => {
  expect(chartSummary(series(4, 9, 2, null))).toEqual({ last: 2, least: 2, most: 9 });
  expect(chartSummary(series(null, null))).toBeNull();
});

test('the nearest point is found, also past the edges', () => {
  expect([-1, 0.24, 0.26, 2].map((share) => indexAt(share, 3))).toEqual([0, 0, 1, 2]);
});
