import { type KeyboardEvent, type PointerEvent, useId } from 'react';
import { ChartTable } from './ChartTable.tsx';
import { type ChartPoint, type ChartScale, chartShape, chartSummary, chartTop, indexAt, xOf } from './chart-shape.ts';

type Props = {
  /** What is measured: 'Connections'. */
  label: string;
  /** Evenly spaced in time, oldest first. */
  points: readonly ChartPoint[];
  scale: ChartScale;
  format: (value: number) => string;
  formatTime: (at: number) => string;
  /** The point that is looked at; charts that share it have one cross-hair. */
  cursor: number | null;
  onCursor: (index: number | null) => void;
};

const keySteps: Record<string, number> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };

/** One series over time. Gaps stay gaps; arrow keys move from point to point, and every value is in the table below. */
export function LineChart(props: Props) {
  const { label, points, format, formatTime, cursor } = props;
  const id = useId();
  const summary = chartSummary(points);
  const last = points.length - 1;
  const at = cursor === null ? null : Math.min(cursor, last);
  return (
    <figure aria-labelledby={id} className="min-w-0">
      <figcaption className="mb-1 flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 id={id} className="text-sm font-semibold">
          {label}
        </h3>
        <span className="text-sm text-muted">
          {summary ? (
            <Reading summary={summary} point={at === null ? undefined : points[at]} format={format} formatTime={formatTime} />
          ) : (
            'Not measured in this time'
          )}
        </span>
      </figcaption>
      {summary ? (
        <>
          <Plot {...props} at={at} />
          <div aria-hidden="true" className="ruler" />
          <div aria-hidden="true" className="flex justify-between text-xs text-subtle">
            <span>{points[0] ? formatTime(points[0].at) : ''}</span>
            <span>{points[last] ? formatTime(points[last].at) : ''}</span>
          </div>
          <ChartTable label={label} points={points} format={format} formatTime={formatTime} />
        </>
      ) : null}
    </figure>
  );
}

type ReadingProps = Pick<Props, 'format' | 'formatTime'> & {
  summary: NonNullable<ReturnType<typeof chartSummary>>;
  point: ChartPoint | undefined;
};

/** The value of the point that is looked at, or the last one and the range. */
function Reading({ summary, point, format, formatTime }: ReadingProps) {
  if (!point)
    return (
      <>
        <b className="font-bold text-text">{format(summary.last)}</b>
        {` now, ${format(summary.least)} to ${format(summary.most)}`}
      </>
    );
  return (
    <>
      <b className="font-bold text-text">{point.value === null ? 'Not measured' : format(point.value)}</b>
      {` at ${formatTime(point.at)}`}
    </>
  );
}

/** The line and its cross-hair, moved by pointer and keys. */
function Plot({ label, points, scale, format, formatTime, at, onCursor }: Props & { at: number | null }) {
  const top = chartTop(points, scale);
  const { path, dots } = chartShape(points, top);
  const last = points.length - 1;
  const point = at === null ? undefined : points[at];
  const says = (of: ChartPoint | undefined) =>
    of ? `${of.value === null ? 'Not measured' : format(of.value)}, ${formatTime(of.at)}` : 'Not measured';

  const onKeyDown = (event: KeyboardEvent) => {
    const to = pointAfterKey(event.key, at ?? last, last);
    if (to === null || last < 0) return;
    event.preventDefault();
    onCursor(Math.min(last, Math.max(0, to)));
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    if (width > 0 && last >= 0) onCursor(indexAt((event.clientX - left) / width, points.length));
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={`${label} over time`}
      aria-readonly="true"
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={at ?? last}
      aria-valuetext={says(point ?? points[last])}
      onKeyDown={onKeyDown}
      onBlur={() => onCursor(null)}
      onPointerMove={onPointerMove}
      onPointerLeave={() => onCursor(null)}
      className="relative h-24 cursor-crosshair touch-pan-y"
    >
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true" className="block size-full overflow-visible">
        <path d="M0 0H100M0 50H100" className="fill-none stroke-border" vectorEffect="non-scaling-stroke" />
        <path d={path} className="fill-none stroke-s1 stroke-2 forced-colors:stroke-[CanvasText]" vectorEffect="non-scaling-stroke" />
      </svg>
      <span aria-hidden="true" className="absolute top-0 left-0 bg-raised pr-1 text-xs text-subtle">
        {format(top)}
      </span>
      {dots.map(({ x, y }) => (
        <Dot key={x} x={x} y={y} />
      ))}
      {at === null ? null : (
        <span
          aria-hidden="true"
          className="absolute inset-y-0 border-l border-dashed border-accent"
          style={{ left: `${xOf(at, points.length)}%` }}
        />
      )}
      {at !== null && point && point.value !== null ? (
        <Dot x={xOf(at, points.length)} y={100 - (Math.min(point.value, top) / top) * 100} />
      ) : null}
    </div>
  );
}

/** The index of the point that a key leads to, which may lie outside; null for other keys. */
function pointAfterKey(key: string, from: number, last: number): number | null {
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  return key in keySteps ? from + (keySteps[key] ?? 0) : null;
}

const Dot = ({ x, y }: { x: number; y: number }) => (
  <span
    aria-hidden="true"
    className="absolute size-1.5 -translate-1/2 rounded-full bg-s1 forced-colors:bg-[CanvasText]"
    style={{ left: `${x}%`, top: `${y}%` }}
  />
);
