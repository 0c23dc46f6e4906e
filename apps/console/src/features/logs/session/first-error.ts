import type { ListLines } from './log-calls.ts';

/** Maximum number of search calls; each takes the server at most 1.5 s. */
const maxLooks = 10;

export interface FirstError {
  /** Null if none was found. */
  number: number | null;
  /** The last searched line, if later lines were not searched. Null if the whole log was searched, or an error was found. */
  searchedTo: number | null;
}

/**
 * Finds the first error of the whole log, loaded or not. The server searches for a bounded time and reports how far it got. Returns null if
 * the signal aborts.
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
