import { expect, test } from 'vitest';
import { type ChartPoint, chartSummary, chartTop, chartView, indexAt, lonePoints, toneAt, xOf } from './chart-shape.ts';

const seriesOf = (...values: (number | null)[]): ChartPoint[] => values.map((value, index) => ({ at: index * 1000, value }));
const named = (points: ChartPoint[]) => ({ label: 'x', points });

test('a value between two gaps is found, also at the edges; values in a row are not', () => {
  expect(lonePoints(seriesOf(0, 10, null, 5, null, 10, 0))).toEqual([3]);
  expect(lonePoints(seriesOf(1, null, null, 2))).toEqual([0, 3]);
});

test('the upper edge is round and never below the highest value', () => {
  expect([41, 100, 0.3, 0].map((highest) => chartTop(highest, 'count'))).toEqual([50, 100, 0.5, 1]);
  expect(chartTop(5 * 1024 ** 3, 'bytes')).toBe(8 * 1024 ** 3);
  expect(chartTop(0.4, 'share')).toBe(1);
});

test('the summary leaves out what was not measured and what is not in view, and without a value there is none', () => {
  const points = seriesOf(4, 9, 2, null);
  expect(chartSummary([named(points)], chartView(points, null))).toEqual({ last: 2, index: 2, least: 2, most: 9 });
  expect(chartSummary([named(points)], chartView(points, { from: 0, to: 1000 }))).toEqual({ last: 9, index: 1, least: 4, most: 9 });
  const gaps = seriesOf(null, null);
  expect(chartSummary([named(gaps)], chartView(gaps, null))).toBeNull();
});

test('the summary of several series spans all of them, with the newest value of all, of the first that has it', () => {
  const [low, high] = [seriesOf(1, 2), seriesOf(7, 8)];
  expect(chartSummary([named(low), named(high)], chartView(low, null))).toEqual({ last: 2, index: 1, least: 1, most: 8 });
  const ended = seriesOf(1, null);
  expect(chartSummary([named(ended), named(high)], chartView(ended, null))).toEqual({ last: 8, index: 1, least: 1, most: 8 });
});

test('a zoom shows the points within it, with room for bars to both sides, and all points when none is left in it', () => {
  const points = seriesOf(1, 2, 3, 4);
  expect(chartView(points, { from: 500, to: 2500 })).toEqual({ first: 1, last: 2, from: 500, to: 2500 });
  expect(chartView(points, { from: 90_000, to: 99_000 })).toEqual({ first: 0, last: 3, from: -500, to: 3500 });
});

test('the nearest point is found, also past the edges and in a zoom', () => {
  const points = seriesOf(1, 2, 3);
  const view = chartView(points, null);
  expect([-1, 0.32, 0.34, 2].map((share) => indexAt(share, points, view))).toEqual([0, 0, 1, 2]);
  expect(indexAt(0.1, points, chartView(points, { from: 1000, to: 2000 }))).toBe(1);
});

test('a chart without points or with one has a place for everything', () => {
  const one = seriesOf(5);
  expect(xOf(0, chartView(one, null))).toBe(50);
  expect(indexAt(0.9, one, chartView(one, null))).toBe(0);
  expect(chartSummary([], chartView([], null))).toBeNull();
});

test('series without a tone take turns', () => {
  const series = [named([]), { ...named([]), tone: 'bad' as const }, named([])];
  expect(series.map((_, index) => toneAt(series, index))).toEqual(['s1', 'bad', 's3']);
});
