import type { HeldLine } from './log-buffer.ts';
import type { ShownCounts } from './log-counts.ts';
import { type LogFilter, noFilter } from './log-filter.ts';
import type { StreamState } from './log-stream.ts';

/** What is shown of a log at one moment. */
export interface LogSnapshot {
  /** Those that pass the filter, where one is set. */
  lines: readonly HeldLine[];
  filter: LogFilter;
  /** Lines before this number are not here. With a filter, they were not looked at or had no room. Null: there are none. */
  before: number | null;
  /** Of all lines of the log; null until the server has told. */
  all: ShownCounts | null;
  /** Of all lines that hold the words. */
  found: ShownCounts | null;
  state: StreamState;
  /** Which reconnect is waited for. */
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
