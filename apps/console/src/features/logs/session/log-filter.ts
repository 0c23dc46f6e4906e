import type { LogLine } from '@paddock/contract';
import { logLimits } from '@paddock/contract/limits';

export type Level = LogLine['level'];

/** Which lines are shown: those with one of the levels (none means all) that hold the words. */
export interface LogFilter {
  search: string;
  levels: readonly Level[];
}

export const noFilter: LogFilter = { search: '', levels: [] };
export const maxSearchLength = logLimits.searchLetters;

export const isFiltering = ({ search, levels }: LogFilter) => search !== '' || levels.length > 0;

export const sameFilter = (a: LogFilter, b: LogFilter) => a.search === b.search && String(a.levels) === String(b.levels);

/** The filter as the API takes it. */
export const filterInput = ({ search, levels }: LogFilter): { search?: string; level?: string } => ({
  ...(search ? { search } : {}),
  ...(levels.length > 0 ? { level: levels.join(',') } : {}),
});

/** The server's rule for the words, for lines that come live: the message as it was written, ignoring case. */
export const holdsWords = (line: LogLine, search: string) => line.message.toLowerCase().includes(search.toLowerCase());

export const passes = (line: LogLine, { search, levels }: LogFilter) =>
  (levels.length === 0 || levels.includes(line.level)) && holdsWords(line, search);
