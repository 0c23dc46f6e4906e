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
/** Gives lines of a log; with a level or words, also how far it came in the time that a look may take. */
export type ListLines = (input: ListInput, options: { signal: AbortSignal }) => Promise<Page>;
/** Counts the lines of a log, or those that hold the words. */
export type CountLines = (input: { id: string; search?: string }, options: { signal: AbortSignal }) => Promise<LogCounts>;
