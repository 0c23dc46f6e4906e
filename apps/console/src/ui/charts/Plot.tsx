import { type KeyboardEvent, type PointerEvent, type RefObject, useId, useRef } from 'react';
import { CrossHair, Markers, markerNear } from './ChartMarks.tsx';
import { valueText } from './ChartReading.tsx';
import { type ChartMarker, type ChartSeries, computeStep, indexAt, xOf } from './chart-shape.ts';
import { PlotCanvas } from './PlotCanvas.tsx';
import type { Drawing } from './plot.ts';
import type { Zooming } from './use-zoom.ts';

type Props = {
  label: string;
  series: readonly ChartSeries[];
  markers: readonly ChartMarker[];
  drawing: Drawing;
  /** Index of the point under the cross-hair. */
  index: number | null;
  zooming: Zooming;
  slider: RefObject<HTMLDivElement | null>;
  format: (value: number) => string;
  formatTime: (at: number) => string;
  onCursor: (index: number | null) => void;
};

const keySteps: Record<string, number> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };
/** Maximum number of markers read by screen readers. */
const markersTold = 20;

/** The plot with its overlays, controlled by pointer and keys. */
export function Plot(props: Props) {
  const { label, series, markers, drawing, index, zooming, slider, format, formatTime } = props;
  const { view, top, kind } = drawing;
  const describes = useId();
  const moves = useMoves(props);
  const at = index ?? view.last;
  const time = index === null ? undefined : series[0]?.points[index]?.at;
  const { selection } = zooming;
  return (
    <div className="relative mt-5 h-32">
      <span aria-hidden="true" className="absolute bottom-full left-0 mb-1 text-xs text-subtle">
        {format(top)}
      </span>
      <div
        ref={slider}
        role="slider"
        tabIndex={0}
        aria-label={`${label} over time`}
        aria-describedby={describes}
        aria-readonly="true"
        aria-valuemin={view.first}
        aria-valuemax={view.last}
        aria-valuenow={at}
        aria-valuetext={pointText(props, at)}
        {...moves}
        className="absolute inset-0 cursor-crosshair touch-pan-y select-none"
      >
        <span className="absolute inset-x-0 top-0 border-t border-border forced-colors:border-[GrayText]" />
        <span className="absolute inset-x-0 top-1/2 border-t border-border forced-colors:border-[GrayText]" />
        {selection ? (
          <span
            className="absolute inset-y-0 border-x border-accent bg-accent/15"
            style={{
              left: `${xOf(series[0]?.points[selection.first]?.at ?? 0, view)}%`,
              right: `${100 - xOf(series[0]?.points[selection.last]?.at ?? 0, view)}%`,
            }}
          />
        ) : null}
        <Markers markers={markers} near={time === undefined ? undefined : markerNear(markers, time, view)} view={view} />
        <PlotCanvas drawing={drawing} />
        {index === null ? null : <CrossHair series={series} index={index} view={view} top={top} hasDots={kind === 'line'} />}
      </div>
      <p id={describes} hidden>
        {describe({ markers, zooming, formatTime })}
      </p>
    </div>
  );
}

/** Handlers of keys and pointer. Touch only moves the cross-hair, since it also scrolls; it zooms by the button. */
function useMoves({ series, drawing, index, zooming, onCursor }: Props) {
  const { view } = drawing;
  const isDragging = useRef(false);
  const points = series[0]?.points ?? [];
  const look = (to: number) => {
    zooming.look(to);
    onCursor(to);
  };
  const pointAt = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return width > 0 ? indexAt((clientX - left) / width, points, view) : view.last;
  };
  return {
    onKeyDown: (event: KeyboardEvent) => {
      const from = index ?? view.last;
      if (zoomKey(event, zooming)) return;
      const to = pointAfterKey(event.key, from, view);
      if (to === null) return;
      event.preventDefault();
      if (event.shiftKey) zooming.extend(from, to);
      else zooming.drop();
      look(to);
    },
    onBlur: () => {
      zooming.drop();
      onCursor(null);
    },
    onPointerDown: (event: PointerEvent) => {
      if (!zooming.isOffered || event.button !== 0 || event.pointerType === 'touch') return;
      event.currentTarget.setPointerCapture(event.pointerId);
      isDragging.current = true;
      zooming.begin(pointAt(event));
    },
    onPointerMove: (event: PointerEvent) => {
      const to = pointAt(event);
      if (isDragging.current) zooming.extend(to, to);
      look(to);
    },
    onPointerUp: (event: PointerEvent) => {
      if (isDragging.current) zooming.take(pointAt(event));
      isDragging.current = false;
    },
    onPointerCancel: () => {
      isDragging.current = false;
      zooming.drop();
    },
    onPointerLeave: () => onCursor(null),
  };
}

/** Enter zooms to the selection; Escape clears the selection, then the zoom. An unused key is left to the page: Escape closes a drawer. */
function zoomKey(event: KeyboardEvent, zooming: Zooming): boolean {
  const { selection, isOffered, isZoomed } = zooming;
  if (event.key === 'Enter' && selection) zooming.take();
  else if (event.key === 'Escape' && selection) zooming.drop();
  else if (event.key === 'Escape' && isZoomed && isOffered) zooming.reset();
  else return false;
  event.preventDefault();
  event.stopPropagation();
  return true;
}

/** The index of the point in view that a key leads to; null for other keys. */
function pointAfterKey(key: string, from: number, { first, last }: { first: number; last: number }): number | null {
  if (key === 'Home') return first;
  if (key === 'End') return last;
  const step = keySteps[key];
  return step === undefined ? null : Math.min(last, Math.max(first, from + step));
}

/** '12 ms, 14:02', or for several series 'p50 12 ms, p95 40 ms, 14:02', then the markers there and the selection. */
function pointText({ series, markers, format, formatTime, drawing, zooming }: Props, index: number): string {
  const point = series[0]?.points[index];
  if (!point) return 'Not measured';
  const values = series.map(({ label, points }) => {
    const value = valueText(points[index]?.value ?? null, format);
    return series.length > 1 ? `${label} ${value}` : value;
  });
  const reach = computeStep(series[0]?.points ?? []) / 2;
  const here = markers.filter((marker) => Math.abs(marker.at - point.at) <= reach).map(({ label }) => label);
  const [from, to] = [zooming.selection?.first, zooming.selection?.last].map((each) => drawing.times[each ?? -1]);
  const selected = from !== undefined && to !== undefined && to > from ? [`selected ${formatTime(from)} to ${formatTime(to)}`] : [];
  return [...values, formatTime(point.at), ...here, ...selected].join(', ');
}

function describe({ markers, zooming, formatTime }: Pick<Props, 'markers' | 'zooming' | 'formatTime'>): string {
  const told = markers.slice(-markersTold).map(({ at, label }) => `${label}, ${formatTime(at)}`);
  const keys = zooming.isOffered ? ' Shift with the arrow keys selects, Enter zooms in, Escape zooms out.' : '';
  return `Arrow keys move from point to point.${keys}${told.length > 0 ? ` Marked: ${told.join('; ')}.` : ''}`;
}
