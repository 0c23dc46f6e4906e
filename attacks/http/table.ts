/** An attacker's attempt and its result. */
export interface Row {
  attempt: string;
  expected: string;
  got: string;
  held: boolean;
}

/** The rows as text in columns, with a mark on those that did not hold. */
export function tableText(title: string, rows: readonly Row[]): string {
  const columns = ['attempt', 'expected', 'got'] as const;
  const shown = rows.map((row) => columns.map((column) => printable(row[column])));
  const widths = columns.map((column, i) => Math.min(110, Math.max(column.length, ...shown.map((cells) => cells[i]!.length))));
  const line = (cells: readonly string[], mark: string) =>
    `${mark} ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')}`.trimEnd();
  const broken = rows.filter((row) => !row.held).length;
  return [
    `${title}: ${rows.length} attempts, ${broken === 0 ? 'all held' : `${broken} DID NOT HOLD`}`,
    line(columns, ' '),
    ...shown.map((cells, i) => line(cells, rows[i]!.held ? ' ' : '✗')),
    '',
  ].join('\n');
}

/** The rows that did not hold, as text for an assertion. */
export const notHeld = (rows: readonly Row[]) =>
  rows.filter((row) => !row.held).map((row) => `${row.attempt}: ${row.got}, not ${row.expected}`);

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e…–]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
