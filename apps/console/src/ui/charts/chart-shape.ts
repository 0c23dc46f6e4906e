export interface ChartPoint {
  /** Milliseconds since 1970. */
  at: number;
  /** Null without a measurement. */
  value: number | null;
}

/** A colour of the design: a line colour, or a rating. */
export type ChartTone = 's1' | 's2' | 's3' | 'good' | 'warn' | 'bad';

export interface ChartSeries {
  label: string;
  /** Evenly spaced in time, oldest first, at the same times as the other series of the chart. */
  points: readonly ChartPoint[];
  /** Defaults to a tone by the series' position. */
  tone?: ChartTone;
}

/** An event at a time, such as a deployment. */
export interface ChartMarker {
  at: number;
  label: string;
}

/** The shown part of the time, edges included, in milliseconds since 1970. */
export interface ChartZoom {
  from: number;
  to: number;
}

export type ChartKind = 'line' | 'bars';

/** How the top of an axis is rounded: to 1, 2, 5 and 10, to powers of two, or always from 0 to 1. */
export type ChartScale = 'count' | 'bytes' | 'share';

/** The points in view: from index `first` to index `last`, with the times `from` and `to` at the edges. */
export interface ChartView {
  first: number;
  last: number;
  from: number;
  to: number;
}

/** The view of a zoom, or of all points if there is no zoom or no point lies within it. */
export function chartView(points: readonly ChartPoint[], zoom: ChartZoom | null): ChartView {
  const last = points.length - 1;
  const start = points[0]?.at ?? 0;
  const end = points[last]?.at ?? start;
  const step = computeStep(points);
  const from = zoom ? Math.max(0, Math.ceil((zoom.from - start) / step)) : 0;
  const to = zoom ? Math.min(last, Math.floor((zoom.to - start) / step)) : last;
  // A bar needs room on both sides of its time. Lines get the same room, so that the times of all charts on a page align.
  const room = step / 2;
  if (!zoom || from > to) return { first: 0, last, from: start - room, to: end + room };
  return { first: from, last: to, from: start + from * step - room, to: start + to * step + room };
}

/** The milliseconds between two points; 1 when there are no two. */
export function computeStep(points: readonly ChartPoint[]): number {
  const [first, last] = [points[0], points.at(-1)];
  return first && last && last.at > first.at ? (last.at - first.at) / (points.length - 1) : 1;
}

/** Horizontal position of a time, in percent. */
export const xOf = (at: number, { from, to }: ChartView) => Math.round(((at - from) / (to - from)) * 10_000) / 100;

/** The index of the point nearest to a share of the width. */
export function indexAt(share: number, points: readonly ChartPoint[], { from, to, first, last }: ChartView): number {
  const at = from + share * (to - from);
  return Math.min(last, Math.max(first, Math.round((at - (points[0]?.at ?? 0)) / computeStep(points))));
}

export interface ChartSummary {
  /** The newest value in view. */
  last: number;
  /** The index of the point with that value. */
  index: number;
  least: number;
  most: number;
}

/** The range of the values in view, and the newest one, from the first series that has a value there; null without any value. */
export function chartSummary(series: readonly ChartSeries[], { first, last }: ChartView): ChartSummary | null {
  let summary: ChartSummary | null = null;
  for (const { points } of series) {
    // No spread: ten thousand values are too many arguments.
    for (let index = last; index >= first; index -= 1) {
      const value = points[index]?.value ?? null;
      if (value === null) continue;
      summary ??= { last: value, index, least: value, most: value };
      if (index > summary.index) Object.assign(summary, { last: value, index });
      summary.least = Math.min(summary.least, value);
      summary.most = Math.max(summary.most, value);
    }
  }
  return summary;
}

/** Whether a point is the newest, whose interval is not over yet, or the one before. */
export const isNow = (index: number, points: readonly ChartPoint[]): boolean => index >= points.length - 2;

/** The value at the upper edge: rounded, and never below the highest one. Without any value it is 1, which avoids a division by zero. */
export function chartTop(highest: number, scale: ChartScale): number {
  if (scale === 'share' || highest <= 0) return 1;
  if (scale === 'bytes') return 2 ** Math.ceil(Math.log2(highest));
  const power = 10 ** Math.floor(Math.log10(highest));
  const step = [1, 2, 5, 10].find((each) => each * power >= highest) ?? 10;
  return step * power;
}

/** The indices of values between two gaps: a line of one point is invisible, so each is drawn as a dot. */
export function lonePoints(points: readonly ChartPoint[]): number[] {
  const lone: number[] = [];
  const isGap = (index: number) => (points[index]?.value ?? null) === null;
  for (let index = 0; index < points.length; index += 1) if (!isGap(index) && isGap(index - 1) && isGap(index + 1)) lone.push(index);
  return lone;
}

const tonesByPlace = ['s1', 's2', 's3', 'good', 'warn', 'bad'] as const satisfies ChartTone[];

export const toneAt = (series: readonly ChartSeries[], index: number): ChartTone =>
  series[index]?.tone ?? tonesByPlace[index % tonesByPlace.length] ?? 's1';
