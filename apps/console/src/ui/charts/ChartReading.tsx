import { type ChartKind, type ChartSeries, type ChartSummary, type ChartView, lastValue, toneAt } from './chart-shape.ts';
import { toneLook } from './tone-look.ts';

type Props = {
  series: readonly ChartSeries[];
  summary: ChartSummary | null;
  /** The point that is looked at. */
  index: number | null;
  isZoomed: boolean;
  format: (value: number) => string;
  formatTime: (at: number) => string;
};

/** The value of the point that is looked at, or the last one and the range. With several series, the values stand in the legend. */
export function ChartReading({ series, summary, index, isZoomed, format, formatTime }: Props) {
  const single = series.length === 1;
  const point = index === null ? undefined : series[0]?.points[index];
  if (point)
    return (
      <>
        {single ? <b className="font-bold text-text">{valueText(point.value, format)}</b> : null}
        {` at ${formatTime(point.at)}`}
      </>
    );
  if (!summary) return 'Not measured in this time';
  const range = `${format(summary.least)} to ${format(summary.most)}`;
  // In a zoom the last value is not the one of now.
  const word = isZoomed ? 'last' : 'now';
  if (!single) return range;
  return (
    <>
      <b className="font-bold text-text">{format(summary.last)}</b>
      {` ${word}, ${range}`}
    </>
  );
}

type LegendProps = Pick<Props, 'series' | 'format' | 'index'> & { kind: ChartKind; view: ChartView };

/** Each series by its label, with its value at the point that is looked at, or its last one. A gap is a dash, so that the legend keeps its lines while the cross-hair moves. */
export function ChartLegend({ series, format, kind, index, view }: LegendProps) {
  return (
    <ul className="mb-1 flex flex-wrap gap-x-4 text-sm text-muted">
      {series.map(({ label, points }, place) => {
        const value = index === null ? lastValue(points, view) : (points[index]?.value ?? null);
        const look = toneLook[toneAt(series, place)];
        return (
          <li key={label} className="flex items-center gap-1.5">
            <span
              aria-hidden="true"
              className={kind === 'bars' ? `size-2.5 forced-colors:bg-[CanvasText] ${look.dot}` : `w-4 border-t-2 ${look.line}`}
            />
            {label}
            <b className="font-bold text-text">{value === null ? <ShortGap /> : format(value)}</b>
          </li>
        );
      })}
    </ul>
  );
}

/** A gap among values that stand beside each other: short to see, plain to hear. */
export const ShortGap = () => (
  <>
    <span aria-hidden="true">–</span>
    <span className="sr-only">Not measured</span>
  </>
);

export const valueText = (value: number | null, format: (value: number) => string) => (value === null ? 'Not measured' : format(value));
