/** A peer that cannot run here. The message says what is missing and how to get it. Its row is printed all the same. */
export class Skipped extends Error {
  override name = 'Skipped';
}

/** Runs work that needs a peer. If the machine lacks something for it, the result is the reason for the row. */
export async function orSkipped<T>(work: () => Promise<T>): Promise<T | Skipped> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Skipped) return error;
    throw error;
  }
}
