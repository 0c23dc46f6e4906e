import { useId, useMemo, useRef, useState } from 'react';
import { ChartActions } from './ChartActions.tsx';
import { ChartLegend, ChartReading } from './ChartReading.tsx';
import { useChartColours } from './chart-colours.ts';
import {
  type ChartKind,
  type ChartMarker,
  type ChartScale,
  type ChartSeries,
  type ChartTone,
  type ChartView,
  type ChartZoom,
  chartSummary,
  chartTop,
  chartView,
  computeStep,
  lonePoints,
  toneAt,
} from './chart-shape.ts';
import { Plot } from './Plot.tsx';
import type { Drawing } from './plot.ts';
import { useZoom } from './use-zoom.ts';

type Props = {
  /** The measured quantity: 'Latency'. */
  label: string;
  /** At least one series, all with the same times. */
  series: readonly ChartSeries[];
  kind?: ChartKind;
  /** The colour of a bar by its value. Pass a stable function: a new one redraws all bars. */
  toneOf?: (value: number) => ChartTone | undefined;
  scale: ChartScale;
  format: (value: number) => string;
  formatTime: (at: number) => string;
  /** The index of the point under the cross-hair; charts that share it have a common cross-hair. */
  cursor: number | null;
  onCursor: (index: number | null) => void;
  markers?: readonly ChartMarker[];
  /** The shown part of the time; charts that share it zoom together. Null for all. */
  zoom?: ChartZoom | null;
  onZoom?: (zoom: ChartZoom | null) => void;
  /** The points end before now, as in a past month. */
  isPast?: boolean;
  /** Name, without extension, of the file in which the values in view are saved. */
  csvName?: string;
};

const noMarkers: readonly ChartMarker[] = [];

/** Series over time. Gaps stay gaps; arrow keys move from point to point, and every value is in the table below. */
export function Chart({ markers = noMarkers, kind = 'line', zoom = null, onZoom, isPast = false, ...props }: Props) {
  const { label, format, formatTime, cursor, onCursor, csvName } = props;
  const id = useId();
  const slider = useRef<HTMLDivElement>(null);
  const series = useSteady(props.series);
  const points = series[0]?.points ?? [];
  const { summary, isMeasured, drawing } = useDrawing(series, { kind, zoom, scale: props.scale, toneOf: props.toneOf });
  const { view } = drawing;
  const zooming = useZoom({ points, view, zoom, onZoom, formatTime });
  const index = cursor === null ? null : Math.min(view.last, Math.max(view.first, cursor));
  return (
    <figure aria-labelledby={id} className="min-w-0">
      <figcaption className="mb-1 flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 id={id} className="text-sm font-semibold">
          {label}
        </h3>
        <span className="text-sm text-muted">
          {isMeasured ? (
            <ChartReading {...{ series, summary, index, format, formatTime }} isPast={isPast || zoom !== null} />
          ) : (
            'Not measured in this period'
          )}
        </span>
      </figcaption>
      {isMeasured ? (
        <>
          {series.length > 1 ? <ChartLegend {...{ series, format, kind, index, summary }} /> : null}
          <Plot {...{ label, series, markers, drawing, index, zooming, slider, format, formatTime, onCursor }} />
          <div aria-hidden="true" className="ruler" />
          <TimeAxis view={view} times={drawing.times} formatTime={formatTime} />
          <ChartActions
            {...{ label, series, view, format, formatTime, csvName, zooming }}
            onReset={() => slider.current?.focus({ preventScroll: true })}
          />
        </>
      ) : null}
    </figure>
  );
}

/** The times at both edges and in the middle. */
function TimeAxis({ view, times, formatTime }: { view: ChartView; times: number[]; formatTime: (at: number) => string }) {
  const text = (index: number) => {
    const at = times[index];
    return at === undefined ? '' : formatTime(at);
  };
  return (
    <div aria-hidden="true" className="grid grid-cols-3 text-xs whitespace-nowrap text-subtle">
      <span>{text(view.first)}</span>
      <span className="text-center">{view.last - view.first > 1 ? formatTime((view.from + view.to) / 2) : ''}</span>
      <span className="text-right">{text(view.last)}</span>
    </div>
  );
}

/** Keeps the identity of the list while its series are the same, so that a page may build a new list on each render. */
function useSteady(series: readonly ChartSeries[]): readonly ChartSeries[] {
  const [kept, keep] = useState(series);
  const isSame =
    kept.length === series.length &&
    kept.every((each, index) => {
      const other = series[index];
      return other && each.points === other.points && each.label === other.label && each.tone === other.tone;
    });
  if (!isSame) keep(series);
  return isSame ? kept : series;
}

type Wish = { kind: ChartKind; zoom: ChartZoom | null; scale: ChartScale; toneOf: Drawing['toneOf'] };

/** The memoized drawing: the cross-hair moves through thousands of points. */
function useDrawing(series: readonly ChartSeries[], { kind, zoom, scale, toneOf }: Wish) {
  const colours = useChartColours();
  const [from, to] = [zoom?.from, zoom?.to];
  const measured = useMemo(() => {
    const points = series[0]?.points ?? [];
    return {
      times: points.map(({ at }) => at),
      step: computeStep(points),
      lines: series.map((each, index) => ({
        tone: toneAt(series, index),
        values: each.points.map(({ value }) => value),
        lone: lonePoints(each.points),
      })),
      isMeasured: series.some((each) => each.points.some(({ value }) => value !== null)),
    };
  }, [series]);
  const { view, summary } = useMemo(() => {
    const view = chartView(series[0]?.points ?? [], from === undefined || to === undefined ? null : { from, to });
    return { view, summary: chartSummary(series, view) };
  }, [series, from, to]);
  const drawing = useMemo((): Drawing => {
    const { isMeasured: _, ...drawn } = measured;
    return { ...drawn, kind, toneOf, view, top: chartTop(summary?.most ?? 0, scale), colours };
  }, [measured, kind, toneOf, view, summary, scale, colours]);
  return { summary, isMeasured: measured.isMeasured, drawing };
}
