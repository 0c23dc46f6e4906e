import type { LogCounts, LogLine } from '@paddock/contract';
import { holdsWords, type Level } from './log-filter.ts';

/** How many lines of the whole log hold the words, per level. */
export interface ShownCounts {
  levels: Record<Level, number>;
  total: number;
  /** False: there are older lines that were not counted. */
  isComplete: boolean;
}

/** The server's counts, and what came live since. */
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
    /** Takes the answer, and of the lines at hand those that it does not count yet. */
    take({ levels, total, last_number, is_complete }: LogCounts, held: readonly LogLine[]) {
      shown = { levels, total, isComplete: is_complete };
      countedTo = last_number;
      add(held);
    },
    /** Takes lines that have just come. */
    add,
  };
}

const number = (count: number) => count.toLocaleString('en');

/** '1,234', and '10,000+' where older lines were not counted. */
export const countText = (count: number, isComplete: boolean) => `${number(count)}${isComplete ? '' : '+'}`;
