import type { LogLine } from '@paddock/contract';
import type { CountLines } from './log-calls.ts';
import { createCounts } from './log-counts.ts';

interface Deps {
  id: string;
  count: CountLines;
  signal: AbortSignal;
  /** The loaded lines. */
  held: () => readonly LogLine[];
  changed: () => void;
}

/** Counts the lines of a log, and those that contain the search text. */
export function createCounting({ id, count, signal, held, changed }: Deps) {
  const all = createCounts('');
  let found = all;

  /** If the request fails, no counts are shown and the log still works. */
  async function ask(counts: typeof all) {
    try {
      counts.take(await count({ id, ...(counts.search ? { search: counts.search } : {}) }, { signal }), held());
      changed();
    } catch (error) {
      if (!signal.aborted) console.warn('The lines could not be counted.', error);
    }
  }

  return {
    get all() {
      return all.shown;
    },
    get found() {
      return found.shown;
    },
    /** Requests the counts. Called once the first lines are loaded. */
    ask() {
      void ask(all);
      if (found !== all) void ask(found);
    },
    /** Counts the lines that contain another search text; `isLoaded` is true once the first lines are loaded. */
    search(words: string, isLoaded: boolean) {
      if (words === found.search) return;
      found = words === '' ? all : createCounts(words);
      if (found !== all && isLoaded) void ask(found);
    },
    /** Counts new lines. */
    add(fresh: readonly LogLine[]) {
      all.add(fresh);
      if (found !== all) found.add(fresh);
    },
  };
}
