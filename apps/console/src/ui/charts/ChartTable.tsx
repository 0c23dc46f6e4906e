import { useState } from 'react';
import { Button } from '../controls/Button.tsx';
import { ShortGap, valueText } from './ChartReading.tsx';
import type { ChartSeries, ChartView } from './chart-shape.ts';

type Props = {
  label: string;
  series: readonly ChartSeries[];
  view: ChartView;
  format: (value: number) => string;
  formatTime: (at: number) => string;
};

const pageSize = 25;

/** The values in view, newest first, a page at a time, with a column for each series. */
export function ChartTable({ label, series, view, format, formatTime }: Props) {
  const [page, setPage] = useState(0);
  const pages = Math.ceil((view.last - view.first + 1) / pageSize);
  const at = Math.min(page, Math.max(0, pages - 1));
  const newest = view.last - at * pageSize;
  const oldest = Math.max(view.first, newest - pageSize + 1);
  const rows = series[0]?.points.slice(oldest, newest + 1).map((point, index) => ({ at: point.at, index: oldest + index })) ?? [];
  return (
    <div className="mt-1 overflow-x-auto text-sm text-muted">
      <table className="w-full text-left">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr>
            <th scope="col" className="font-semibold">
              Time
            </th>
            {series.map((each) => (
              <th key={each.label} scope="col" className="pl-3 text-right font-semibold">
                {each.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map((row) => (
            <tr key={row.at} className="border-t border-border">
              <th scope="row" className="font-normal whitespace-nowrap">
                {formatTime(row.at)}
              </th>
              {series.map((each) => (
                <td key={each.label} className="pl-3 text-right text-text">
                  <Value value={each.points[row.index]?.value ?? null} isShort={series.length > 1} format={format} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {pages > 1 ? (
        <div className="mt-2 flex items-center gap-2">
          <Button disabled={at === 0} onClick={() => setPage(at - 1)}>
            Newer
          </Button>
          <Button disabled={at === pages - 1} onClick={() => setPage(at + 1)}>
            Older
          </Button>
          <span role="status">
            Page {at + 1} of {pages}
          </span>
        </div>
      ) : null}
    </div>
  );
}

type ValueProps = { value: number | null; isShort: boolean; format: (value: number) => string };

const Value = ({ value, isShort, format }: ValueProps) => (value === null && isShort ? <ShortGap /> : valueText(value, format));
