import { csvRow } from '@paddock/contract/csv';
import type { ChartSeries, ChartView } from './chart-shape.ts';

/** What is in view of all series: ISO times in UTC, numbers as they are, and nothing where nothing was measured. */
export function chartCsv(series: readonly ChartSeries[], { first, last }: ChartView): string {
  const times = series[0]?.points.slice(first, last + 1) ?? [];
  const head = ['Time', ...series.map(({ label }) => label)];
  const rows = times.map(({ at }, index) => [new Date(at).toISOString(), ...series.map(({ points }) => points[first + index]?.value)]);
  return [head, ...rows].map(csvRow).join('');
}

/** Saves the text as a file, also on plain HTTP and without asking a server. */
export function saveCsv(name: string, text: string) {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  Object.assign(document.createElement('a'), { href: address, download: `${name}.csv` }).click();
  // Not at once: the browser reads it after this turn.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
