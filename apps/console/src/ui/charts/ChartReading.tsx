import { type ChartKind, type ChartPoint, type ChartSeries, type ChartSummary, isNow, toneAt } from './chart-shape.ts';
import { toneLook } from './tone-look.ts';

type Props = {
  series: readonly ChartSeries[];
  summary: ChartSummary | null;
  /** Index of the point under the cross-hair. */
  index: number | null;
  /** The points end before now, or not all of them are in view. */
  isPast: boolean;
  format: (value: number) => string;
  formatTime: (at: number) => string;
};

/** The value at the cross-hair, or the newest one with its time and the range. With several series, the values are in the legend. */
export function ChartReading({ series, summary, index, isPast, format, formatTime }: Props) {
  const single = series.length === 1;
  const point = index === null ? undefined : series[0]?.points[index];
  if (point)
    return (
      <>
        {single ? <b className="font-bold text-text">{valueText(point.value, format)}</b> : null}
        {` at ${formatTime(point.at)}`}
      </>
    );
  if (!summary) return 'Not measured in this period';
  const range = `${format(summary.least)} to ${format(summary.most)}`;
  const points = series[0]?.points ?? [];
  const isCurrent = !isPast && isNow(summary.index, points);
  const time = isCurrent ? 'now' : `at ${formatTime(points[summary.index]?.at ?? 0)}`;
  if (!single) return isCurrent ? range : `${time}, ${range}`;
  return (
    <>
      <b className="font-bold text-text">{format(summary.last)}</b>
      {` ${time}, ${range}`}
    </>
  );
}

type LegendProps = Pick<Props, 'series' | 'format' | 'index' | 'summary'> & { kind: ChartKind };

/**
 * Each series by its label, with its value at the cross-hair, or at the newest point with a value. A gap is a dash, so that the legend
 * keeps its lines while the cross-hair moves.
 */
export function ChartLegend({ series, format, kind, index, summary }: LegendProps) {
  return (
    <ul className="mb-1 flex flex-wrap gap-x-4 text-sm text-muted">
      {series.map(({ label, points }, place) => {
        const value = index === null ? newestValue(points, summary) : (points[index]?.value ?? null);
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

/** The value at the newest point with any value, or at the one before: an older value would be outdated. */
function newestValue(points: readonly ChartPoint[], summary: ChartSummary | null): number | null {
  if (!summary) return null;
  return points[summary.index]?.value ?? points[summary.index - 1]?.value ?? null;
}

/** A gap between values: a dash on the screen, words for screen readers. */
export const ShortGap = () => (
  <>
    <span aria-hidden="true">–</span>
    <span className="sr-only">Not measured</span>
  </>
);

export const valueText = (value: number | null, format: (value: number) => string) => (value === null ? 'Not measured' : format(value));
