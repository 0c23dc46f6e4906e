import { useState } from 'react';
import { Button } from '../controls/Button.tsx';
import type { ChartPoint } from './chart-shape.ts';

type Props = {
  label: string;
  points: readonly ChartPoint[];
  format: (value: number) => string;
  formatTime: (at: number) => string;
};

const pageSize = 25;

/** The values of a chart, newest first, a page at a time; made when it is opened. */
export function ChartTable({ label, points, format, formatTime }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [page, setPage] = useState(0);
  const pages = Math.ceil(points.length / pageSize);
  const at = Math.min(page, Math.max(0, pages - 1));
  const shown = points.toReversed().slice(at * pageSize, (at + 1) * pageSize);
  return (
    <details className="mt-1 text-sm text-muted" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        View as table<span className="sr-only">: {label}</span>
      </summary>
      {isOpen ? (
        <div className="mt-1">
          <table className="w-full text-left">
            <caption className="sr-only">{label}</caption>
            <thead>
              <tr>
                <th scope="col" className="font-semibold">
                  Time
                </th>
                <th scope="col" className="text-right font-semibold">
                  {label}
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((point) => (
                <tr key={point.at} className="border-t border-border">
                  <th scope="row" className="font-normal">
                    {formatTime(point.at)}
                  </th>
                  <td className="text-right text-text">{point.value === null ? 'Not measured' : format(point.value)}</td>
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
      ) : null}
    </details>
  );
}
