import type { LogLine } from '@paddock/contract';
import { createLogBuffer } from './log-buffer.ts';
import type { ListLines } from './log-calls.ts';
import { filterInput, type LogFilter, passes } from './log-filter.ts';

const foundPage = 200;
/** Maximum number of search calls per press; then the reader sees how far the search got. */
const maxLooks = 4;

export type FoundLines = ReturnType<typeof createFoundLines>;

/** The lines of a log that match a filter: the newest are loaded first, earlier ones by pages, later ones as they arrive. */
export function createFoundLines({ id, filter, list, capacity }: { id: string; filter: LogFilter; list: ListLines; capacity: number }) {
  const buffer = createLogBuffer(capacity, { hasGaps: true });
  const ended = new AbortController();
  let isLoaded = false;
  /** Lines from this number on were searched; null once all lines were. */
  let before: number | null | undefined;

  /** Loads earlier matches; false if none was loaded. */
  async function loadOlder(signal: AbortSignal): Promise<boolean> {
    let found = 0;
    for (let look = 0; look < maxLooks && found === 0 && before !== null && buffer.room() > 0; look += 1) {
      const until = AbortSignal.any([signal, ended.signal]);
      const at = before === undefined ? {} : { before };
      const { logs, searched_to = null } = await list({ id, limit: foundPage, ...at, ...filterInput(filter) }, { signal: until });
      found = isLoaded || buffer.lines.length > 0 ? buffer.prepend(logs) : buffer.append(logs);
      before = searched_to ?? (logs.length === foundPage ? (logs[0]?.number ?? null) : null);
    }
    return found > 0;
  }

  return {
    filter,
    buffer,
    get isLoaded() {
      return isLoaded;
    },
    get before() {
      return buffer.isCut ? buffer.first() : (before ?? null);
    },
    loadOlder,
    /** Loads the newest matches, and adds matching lines that arrived meanwhile. */
    async load(signal: AbortSignal, held: () => readonly LogLine[]) {
      await loadOlder(signal);
      isLoaded = true;
      this.take(held());
    },
    /** Adds those of the new lines that match. */
    take(lines: readonly LogLine[]) {
      if (isLoaded) buffer.append(lines.filter((line) => passes(line, filter)));
    },
    close: () => ended.abort(),
  };
}
