import type { LogCounts, LogLine } from '@paddock/contract';

interface ListInput {
  id: string;
  limit: number;
  before?: number;
  after?: number;
  level?: string;
  search?: string;
}
interface Page {
  logs: LogLine[];
  searched_to?: number | null;
}
/** Lists lines of a log; with a level or a search text, also how far the time-limited search got. */
export type ListLines = (input: ListInput, options: { signal: AbortSignal }) => Promise<Page>;
/** Counts the lines of a log, or those that contain the search text. */
export type CountLines = (input: { id: string; search?: string; before?: number }, options: { signal: AbortSignal }) => Promise<LogCounts>;
