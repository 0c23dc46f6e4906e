import type { ListLines } from './log-calls.ts';

/** Maximum number of search calls; each takes the server at most 1.5 s. */
const maxLooks = 10;

export type WhichError = 'first' | 'last';

export interface FoundError {
  /** Null if none was found. */
  number: number | null;
  /** The line up to which, or back to which, was searched, if the rest was not. Null if the whole log was searched, or an error was found. */
  searchedTo: number | null;
}

/**
 * Finds the first or the last error of the whole log, loaded or not. The server searches for a bounded time and reports how far it got.
 * Returns null if the signal aborts.
 */
export async function findError(which: WhichError, id: string, { list, signal }: { list: ListLines; signal: AbortSignal }) {
  let searchedTo: number | null = which === 'first' ? 0 : null;
  try {
    for (let look = 0; look < maxLooks; look += 1) {
      const from: { after?: number; before?: number } = {};
      if (which === 'first') from.after = searchedTo ?? 0;
      else if (searchedTo !== null) from.before = searchedTo;
      const { logs, searched_to = null } = await list({ id, level: 'error', ...from, limit: 1 }, { signal });
      if (logs[0]) return { number: logs[0].number, searchedTo: null } satisfies FoundError;
      searchedTo = searched_to;
      if (searchedTo === null) break;
    }
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
  return { number: null, searchedTo } satisfies FoundError;
}
