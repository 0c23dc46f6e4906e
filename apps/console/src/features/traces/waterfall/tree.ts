import type { TreeRow } from '@paddock/contract/span-tree';

export const hasInner = (rows: readonly TreeRow[], row: number) => (rows[row]?.end ?? 0) > row + 1;

/** The indices of the visible rows: all except those within a collapsed row. */
export function shownRows(rows: readonly TreeRow[], collapsed: ReadonlySet<string>): number[] {
  const shown: number[] = [];
  for (let row = 0; row < rows.length; ) {
    const { key, end } = rows[row] as TreeRow;
    shown.push(row);
    row = collapsed.has(key) ? Math.max(row + 1, end) : row + 1;
  }
  return shown;
}

/** The ancestors of a row, nearest first. */
export function findAncestors(rows: readonly TreeRow[], row: number): number[] {
  const found: number[] = [];
  for (let at = rows[row]?.parent ?? -1; at !== -1; at = rows[at]?.parent ?? -1) found.push(at);
  return found;
}
