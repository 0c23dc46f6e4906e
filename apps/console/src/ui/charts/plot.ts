import uPlot from 'uplot';
import type { ChartColours } from './chart-colours.ts';
import type { ChartKind, ChartTone, ChartView } from './chart-shape.ts';
import { pickDashPattern } from './tone-look.ts';

/** The content of a canvas. Times and values have the same length; `lone` are the indices of points between two gaps. */
export interface Drawing {
  times: number[];
  lines: { tone: ChartTone; values: (number | null)[]; lone: number[] }[];
  kind: ChartKind;
  toneOf: ((value: number) => ChartTone | undefined) | undefined;
  view: ChartView;
  step: number;
  top: number;
  colours: ChartColours;
}

export interface MountedPlot {
  draw: (next: Drawing) => void;
  destroy: () => void;
}

/** Margin in pixels around the plot, so that lines and dots at its edges are not clipped. */
export const gutterPx = 4;
const barShare = 0.7;
const minBarPx = 2;

/** Draws into the host and follows its width. Only lines, dots and bars: grid, cross-hair and labels are elements of the page. */
export function mountPlot(host: HTMLElement, first: Drawing): MountedPlot {
  let drawing = first;
  let plot: uPlot | undefined;
  let look = '';

  const dataOf = (): uPlot.AlignedData => [drawing.times, ...drawing.lines.map(({ values }) => values)];
  const show = () => {
    if (!plot) return;
    if (lookOf(drawing) === look) {
      plot.setData(dataOf());
      return;
    }
    const { width, height } = plot;
    plot.destroy();
    make(width, height);
  };
  const make = (width: number, height: number) => {
    look = lookOf(drawing);
    plot = new uPlot(
      plotOptions(() => drawing, { width, height }),
      dataOf(),
      host,
    );
  };
  const size = new ResizeObserver(([entry]) => {
    const { width = 0, height = 0 } = entry?.contentRect ?? {};
    if (width <= 2 * gutterPx || height <= 2 * gutterPx) return;
    if (plot) plot.setSize({ width, height });
    else make(width, height);
  });
  size.observe(host);
  return {
    draw: (next) => {
      drawing = next;
      show();
    },
    destroy: () => {
      size.disconnect();
      plot?.destroy();
    },
  };
}

/** Settings that uPlot reads only once. */
const lookOf = ({ lines, colours }: Drawing) => [colours.isForced, ...lines.map(({ tone }) => tone)].join();

function plotOptions(drawing: () => Drawing, size: { width: number; height: number }): uPlot.Options {
  const linear = uPlot.paths.linear?.();
  const { lines, colours } = drawing();
  const series = lines.map(({ tone }, index): uPlot.Series => {
    const colour = () => drawing().colours.tones[tone];
    return {
      stroke: colour,
      width: tone === 's1' ? 2 : 1.75,
      dash: pickDashPattern(tone, colours.isForced),
      paths: (...given) => (drawing().kind === 'line' ? (linear?.(...given) ?? null) : null),
      points: { show: false, filter: () => lonePoints(drawing(), index), size: 6, width: 0, stroke: colour, fill: colour },
    };
  });
  return {
    ...size,
    ms: 1,
    padding: [gutterPx, gutterPx, gutterPx, gutterPx],
    legend: { show: false },
    cursor: { show: false },
    axes: [{ show: false }, { show: false }],
    scales: { x: { time: false, range: () => [drawing().view.from, drawing().view.to] }, y: { range: () => [0, drawing().top] } },
    series: [{}, ...series],
    hooks: { drawSeries: [(plot, place) => drawBars(plot, drawing(), place - 1)] },
  };
}

const lonePoints = ({ kind, lines }: Drawing, index: number) => {
  const lone = kind === 'line' ? lines[index]?.lone : undefined;
  return lone && lone.length > 0 ? lone : null;
};

/** The bars of a series; several series are side by side. A measured value other than zero is always high enough to be visible. */
function drawBars(plot: uPlot, { kind, lines, toneOf, times, step, view, colours }: Drawing, index: number) {
  const line = lines[index];
  if (kind !== 'bars' || !line) return;
  const { left, top, width, height } = plot.bbox;
  const perMs = width / (view.to - view.from);
  const group = perMs * step * barShare;
  const bar = Math.max(1, group / lines.length);
  const bars = new Map<ChartTone, Path2D>();
  for (let at = view.first; at <= view.last; at += 1) {
    const value = line.values[at] ?? null;
    if (value === null || value <= 0) continue;
    const tone = toneOf?.(value) ?? line.tone;
    const path = bars.get(tone) ?? new Path2D();
    bars.set(tone, path);
    const high = Math.min(height, Math.max(minBarPx * uPlot.pxRatio, top + height - plot.valToPos(value, 'y', true)));
    path.rect(left + ((times[at] ?? 0) - view.from) * perMs - group / 2 + index * bar, top + height - high, bar, high);
  }
  for (const [tone, path] of bars) {
    plot.ctx.fillStyle = colours.tones[tone];
    plot.ctx.fill(path);
  }
}
