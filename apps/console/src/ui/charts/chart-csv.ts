import type { ChartSeries, ChartView } from './chart-shape.ts';

/** What is in view of all series: ISO times in UTC, numbers as they are, and nothing where nothing was measured. */
export function chartCsv(series: readonly ChartSeries[], { first, last }: ChartView): string {
  const times = series[0]?.points.slice(first, last + 1) ?? [];
  const head = ['Time', ...series.map(({ label }) => label)].map(cell);
  const rows = times.map(({ at }, index) => [
    new Date(at).toISOString(),
    ...series.map(({ points }) => {
      const value = points[first + index]?.value ?? null;
      return value === null ? '' : String(value);
    }),
  ]);
  return [head, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

/** Words as a cell. A table program would run words that begin like a formula, so a quote makes words of them. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Saves the text as a file, also on plain HTTP and without asking a server. */
export function saveCsv(name: string, text: string) {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  Object.assign(document.createElement('a'), { href: address, download: `${name}.csv` }).click();
  // Not at once: the browser reads it after this turn.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
