import type { ListLines } from './log-calls.ts';

/** One search takes the server 1.5 s at most. */
const maxLooks = 10;

export interface FirstError {
  /** Null: none was found. */
  number: number | null;
  /** Up to this line there is no error, and later lines were not searched. Null: the log was searched whole, or an error was found. */
  searchedTo: number | null;
}

/**
 * Finds the first error of the whole log, held or not. The server looks for a bounded time, and then tells how far it came.
 * Gives null when the signal aborts.
 */
export async function findFirstError(id: string, list: ListLines, signal: AbortSignal): Promise<FirstError | null> {
  let searchedTo: number | null = 0;
  try {
    for (let look = 0; look < maxLooks && searchedTo !== null; look += 1) {
      const { logs, searched_to = null } = await list({ id, level: 'error', after: searchedTo, limit: 1 }, { signal });
      if (logs[0]) return { number: logs[0].number, searchedTo: null };
      searchedTo = searched_to;
    }
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
  return { number: null, searchedTo };
}
