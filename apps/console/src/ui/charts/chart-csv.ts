import { csvRow } from '@paddock/contract/csv';
import type { ChartSeries, ChartView } from './chart-shape.ts';

/** The values of all series in view as CSV: ISO times in UTC, unformatted numbers, and empty cells for gaps. */
export function chartCsv(series: readonly ChartSeries[], { first, last }: ChartView): string {
  const times = series[0]?.points.slice(first, last + 1) ?? [];
  const head = ['Time', ...series.map(({ label }) => label)];
  const rows = times.map(({ at }, index) => [new Date(at).toISOString(), ...series.map(({ points }) => points[first + index]?.value)]);
  return [head, ...rows].map(csvRow).join('');
}
