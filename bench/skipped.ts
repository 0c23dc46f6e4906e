/** A peer that cannot run here. The message says what is missing and how to get it; its row is printed all the same. */
export class Skipped extends Error {
  override name = 'Skipped';
}

/** Runs what needs a peer; what it needs and this machine lacks becomes the reason in the row. */
export async function orSkipped<T>(work: () => Promise<T>): Promise<T | Skipped> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Skipped) return error;
    throw error;
  }
}
