import type { LogLine } from '@paddock/contract';
import type { CountLines } from './log-calls.ts';
import { createCounts } from './log-counts.ts';

interface Parts {
  id: string;
  count: CountLines;
  signal: AbortSignal;
  /** The lines at hand. */
  held: () => readonly LogLine[];
  changed: () => void;
}

/** How many lines a log has, and how many of them hold the words that are searched. */
export function createCounting({ id, count, signal, held, changed }: Parts) {
  const all = createCounts('');
  let found = all;

  /** Without an answer no numbers are shown, and the log goes on. */
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
    /** Asks the server, once the first lines are here. */
    ask() {
      void ask(all);
      if (found !== all) void ask(found);
    },
    /** Counts the lines that hold other words; `isLoaded` tells whether the first lines are here. */
    search(words: string, isLoaded: boolean) {
      if (words === found.search) return;
      found = words === '' ? all : createCounts(words);
      if (found !== all && isLoaded) void ask(found);
    },
    /** Takes lines that have just come. */
    add(fresh: readonly LogLine[]) {
      all.add(fresh);
      if (found !== all) found.add(fresh);
    },
  };
}
