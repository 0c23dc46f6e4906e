import type { HeldLine } from './log-buffer.ts';
import type { ShownCounts } from './log-counts.ts';
import { type LogFilter, noFilter } from './log-filter.ts';
import type { StreamState } from './log-stream.ts';

/** What is shown of a log at one moment. */
export interface LogSnapshot {
  /** With a filter: the lines that pass it. */
  lines: readonly HeldLine[];
  filter: LogFilter;
  /** Lines before this number are missing here. With a filter: they were not searched, or had no room. Null: none is missing. */
  before: number | null;
  /** Counts of all lines of the log; null until the server has answered. */
  all: ShownCounts | null;
  /** Counts of all lines that hold the words. */
  found: ShownCounts | null;
  state: StreamState;
  /** The number of the reconnect that comes next. */
  attempt: number;
  /** Why the first lines, or those that pass the filter, could not be loaded. */
  error: unknown;
  isLoaded: boolean;
  isLoadingOlder: boolean;
  /** No room is left for older lines. */
  isFull: boolean;
}

/** Of a log that is yet to be asked for. */
export const emptySnapshot: LogSnapshot = {
  lines: [],
  filter: noFilter,
  before: null,
  all: null,
  found: null,
  state: 'connecting',
  attempt: 0,
  error: null,
  isLoaded: false,
  isLoadingOlder: false,
  isFull: false,
};
