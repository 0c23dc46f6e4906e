/** Rows removed by one statement of a sweep. */
export const batchRows = 5_000;
/** Maximum batches of one turn, because the other periodic jobs wait for its end. The next turn removes more. */
const maxBatches = 200;

/**
 * Repeats a statement that removes at most `rows` rows until it removes fewer. With many rows, a single statement over all of them would hit the
 * database's statement timeout at each turn and never remove any. Returns the number of removed rows.
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
