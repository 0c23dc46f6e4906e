import type { HeldLine } from './log-buffer.ts';
import type { ShownCounts } from './log-counts.ts';
import { type LogFilter, noFilter } from './log-filter.ts';
import type { StreamState } from './log-stream.ts';

/** The displayed state of a log at one moment. */
export interface LogSnapshot {
  /** The loaded lines; with a filter, those that match. */
  lines: readonly HeldLine[];
  filter: LogFilter;
  /** Lines before this number are not loaded; with a filter, they were not searched or had no room. Null if none is missing. */
  before: number | null;
  /** Counts of all lines of the log; null until the server has responded. */
  all: ShownCounts | null;
  /** Counts of all lines that contain the search text. */
  found: ShownCounts | null;
  state: StreamState;
  /** The number of the next reconnect attempt. */
  attempt: number;
  /** Why the first lines, or those that match the filter, could not be loaded. */
  error: unknown;
  isLoaded: boolean;
  isLoadingOlder: boolean;
  /** There is no room for older lines. */
  isFull: boolean;
}

/** The log has not been requested yet. */
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
