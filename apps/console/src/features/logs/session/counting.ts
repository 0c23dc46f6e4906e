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

/** Each request counts for about a second; after this many the count stays a lower bound. */
const maxRequests = 120;

/** Counts the lines of a log, and those that contain the search text. */
export function createCounting({ id, count, signal, held, changed }: Deps) {
  const all = createCounts('');
  let found = all;

  const isShown = (counts: typeof all) => counts === all || counts === found;

  /** Counts from the newest lines on, each request from where the one before ran out of its time. If one fails, the log still works. */
  async function ask(counts: typeof all) {
    const wanted = { id, ...(counts.search ? { search: counts.search } : {}) };
    try {
      let answer = await count(wanted, { signal });
      counts.take(answer, held());
      changed();
      for (let asked = 1; asked < maxRequests && answer.counted_from && isShown(counts); asked += 1) {
        answer = await count({ ...wanted, before: answer.counted_from }, { signal });
        counts.takeOlder(answer);
        changed();
      }
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
