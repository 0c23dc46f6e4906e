import { csvRow } from '@paddock/contract/csv';
import type { ChartSeries, ChartView } from './chart-shape.ts';

/** The values of all series in view as CSV: ISO times in UTC, unformatted numbers, and empty cells for gaps. */
export function chartCsv(series: readonly ChartSeries[], { first, last }: ChartView): string {
  const times = series[0]?.points.slice(first, last + 1) ?? [];
  const head = ['Time', ...series.map(({ label }) => label)];
  const rows = times.map(({ at }, index) => [new Date(at).toISOString(), ...series.map(({ points }) => points[first + index]?.value)]);
  return [head, ...rows].map(csvRow).join('');
}

/** Saves the text as a file. Works on plain HTTP, and sends no request. */
export function saveCsv(name: string, text: string) {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  Object.assign(document.createElement('a'), { href: address, download: `${name}.csv` }).click();
  // Revoke later: the browser reads the URL after this turn of the event loop.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
