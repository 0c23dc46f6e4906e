import type { TreeRow } from '@paddock/contract/span-tree';

export const hasInner = (rows: readonly TreeRow[], row: number) => (rows[row]?.end ?? 0) > row + 1;

/** The numbers of the rows that are to be seen: all but those within a collapsed one. */
export function shownRows(rows: readonly TreeRow[], collapsed: ReadonlySet<string>): number[] {
  const shown: number[] = [];
  for (let row = 0; row < rows.length; ) {
    const { key, end } = rows[row] as TreeRow;
    shown.push(row);
    row = collapsed.has(key) ? Math.max(row + 1, end) : row + 1;
  }
  return shown;
}

/** The rows around a row, the nearest first. */
export function ancestorsOf(rows: readonly TreeRow[], row: number): number[] {
  const found: number[] = [];
  for (let at = rows[row]?.parent ?? -1; at !== -1; at = rows[at]?.parent ?? -1) found.push(at);
  return found;
}
