import type { LogCounts, LogLine } from '@paddock/contract';
import { holdsWords, type Level } from './log-filter.ts';

/** Number of lines of the whole log that contain the search text, per level. */
export interface ShownCounts {
  levels: Record<Level, number>;
  total: number;
  /** False if older lines were not counted. */
  isComplete: boolean;
}

/** The server's counts plus the live lines since. */
export function createCounts(search: string) {
  let shown: ShownCounts | null = null;
  let countedTo = 0;

  function add(lines: readonly LogLine[]) {
    if (!shown) return;
    const fresh = lines.filter((line) => line.number > countedTo && holdsWords(line, search));
    if (fresh.length === 0) return;
    const levels = { ...shown.levels };
    for (const { level } of fresh) levels[level] += 1;
    shown = { ...shown, levels, total: shown.total + fresh.length };
  }

  return {
    search,
    get shown() {
      return shown;
    },
    /** Takes the first response, and adds the loaded lines that it does not count. */
    take({ levels, total, last_number, is_complete }: LogCounts, held: readonly LogLine[]) {
      shown = { levels, total, isComplete: is_complete };
      countedTo = last_number;
      add(held);
    },
    /** Adds the response for lines before those of the responses so far. */
    takeOlder({ levels: older, total, is_complete }: LogCounts) {
      if (!shown) return;
      const { debug, info, warning, error } = shown.levels;
      const levels = { debug: debug + older.debug, info: info + older.info, warning: warning + older.warning, error: error + older.error };
      shown = { levels, total: shown.total + total, isComplete: is_complete };
    },
    /** Counts new lines. */
    add,
  };
}

const number = (count: number) => count.toLocaleString('en');

/** '1,234', or '10,000+' if older lines were not counted. */
export const countText = (count: number, isComplete: boolean) => `${number(count)}${isComplete ? '' : '+'}`;
