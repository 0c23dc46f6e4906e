/** Rows that one statement of a sweep removes. */
export const batchRows = 5_000;
/** Batches of one turn: the other periodic jobs wait for it. The next turn removes more. */
const maxBatches = 200;

/**
 * Repeats a statement that removes a limited number of rows until it removes fewer. A single statement over all rows would exceed the statement
 * timeout once many have accumulated, would be retried each turn, and would never remove any. Returns how many were removed.
 */
export async function removeInBatches(
  remove: (rows: number) => PromiseLike<{ count: number }>,
  { rows = batchRows, signal }: { rows?: number; signal?: AbortSignal } = {},
): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < maxBatches && !signal?.aborted; batch++) {
    const { count } = await remove(rows);
    removed += count;
    if (count < rows) break;
  }
  return removed;
}
