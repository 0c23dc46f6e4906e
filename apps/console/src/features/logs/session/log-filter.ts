import type { LogLine } from '@paddock/contract';
import { logLimits } from '@paddock/contract/limits';

export type Level = LogLine['level'];

/** Shows the lines with one of the levels (none means all) that contain the search text. */
export interface LogFilter {
  search: string;
  levels: readonly Level[];
}

export const noFilter: LogFilter = { search: '', levels: [] };
export const maxSearchLength = logLimits.searchLetters;

export const isFiltering = ({ search, levels }: LogFilter) => search !== '' || levels.length > 0;

export const sameFilter = (a: LogFilter, b: LogFilter) => a.search === b.search && String(a.levels) === String(b.levels);

/** The filter in the API's format. */
export const filterInput = ({ search, levels }: LogFilter): { search?: string; level?: string } => ({
  ...(search ? { search } : {}),
  ...(levels.length > 0 ? { level: levels.join(',') } : {}),
});

/** Applies the server's search rule to live lines: the original message, ignoring case. */
export const holdsWords = (line: LogLine, search: string) => line.message.toLowerCase().includes(search.toLowerCase());

export const passes = (line: LogLine, { search, levels }: LogFilter) =>
  (levels.length === 0 || levels.includes(line.level)) && holdsWords(line, search);
