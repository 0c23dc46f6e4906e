/** Rows that one statement of a sweep removes. */
export const batchRows = 5_000;
/** Batches of one turn: the other periodic jobs wait for its end. The next turn removes more. */
const maxBatches = 200;

/**
 * Repeats a statement that removes at most so many rows until it removes fewer. A single statement over all rows would be cut off by the database's
 * time limit where many have gathered, would be repeated at each turn, and would never remove any. Returns how many were removed.
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
