/**
 * The row of a query that always returns exactly one, such as `select exists (…)` or `count(*)`. Throws for any other number of rows.
 * Queries for permissions, limits and policies use this, so that "no row" is never read as "nothing forbids it".
 */
export function singleRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (rows.length !== 1 || row === undefined) throw new Error(`a query that returns exactly one row returned ${rows.length}`);
  return row;
}
