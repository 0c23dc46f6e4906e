/** An attempt and its result, as the tables print it. */
export interface Row {
  item: string;
  attempt: string;
  expected: string;
  got: string;
  /** A measurement, if there is one. */
  measured?: string;
  ok: boolean;
}

/** The rows as a table in text. */
export function table(title: string, rows: Row[]): string {
  const heads = ['list', 'attempt', 'expected', 'what it got', 'measured'];
  const lines = rows.map((row) => [row.item, row.attempt, row.expected, row.got, row.measured ?? '']);
  const widest = heads.map((head, n) => Math.min(n === 3 ? 110 : 62, Math.max(head.length, ...lines.map((line) => line[n]?.length ?? 0))));
  const show = (cells: string[], mark: string) =>
    `${mark} ${cells
      .map((cell, n) =>
        cell
          .replace(/\s+/g, ' ')
          .slice(0, widest[n])
          .padEnd(widest[n] ?? 0),
      )
      .join('  ')}`.trimEnd();
  const failed = rows.filter((row) => !row.ok).length;
  return [
    title,
    '',
    show(heads, ' '),
    ...lines.map((line, n) => show(line, rows[n]?.ok ? ' ' : '!')),
    '',
    `${rows.length} attempts, ${failed} not as expected`,
  ].join('\n');
}
