import type { LogLine } from '@paddock/contract';
import { findFirstError } from './first-error.ts';
import { createFoundLines, type FoundLines } from './found-lines.ts';
import { bufferCapacity, createLogBuffer, type HeldLine } from './log-buffer.ts';
import type { CountLines, ListLines } from './log-calls.ts';
import { createCounts, type ShownCounts } from './log-counts.ts';
import { isFiltering, type LogFilter, noFilter, sameFilter } from './log-filter.ts';
import { followLog, type OpenStream, type StreamState } from './log-stream.ts';

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

export type LogSession = ReturnType<typeof openLogSession>;

const firstPage = 100;
const olderPage = 500;
/** A link to a line far back loads at most this many pages; the rest is for the download. */
const reachPages = 20;
const flushMs = 60;
const flushLines = 2000;

/**
 * One open log: the last 100 lines first, then what comes, older ones on demand. Watchers are told at most every 60 ms, however fast
 * lines arrive. `close` ends every connection and timer.
 */
export function openLogSession({
  deploymentId: id,
  list,
  count,
  open,
  capacity = bufferCapacity,
}: {
  deploymentId: string;
  list: ListLines;
  count: CountLines;
  open: OpenStream;
  capacity?: number;
}) {
  const closed = new AbortController();
  const { signal } = closed;
  const buffer = createLogBuffer(capacity);
  /** What is shown instead while there is a filter. */
  let found: FoundLines | null = null;
  const all = createCounts('');
  let counted = all;
  let isLoading = false;
  let isAllLoaded = false;
  let loadError: unknown = null;
  let findError: unknown = null;
  /** Nothing is stored before the oldest line that was loaded; the full buffer may have dropped it since. */
  let isAtStart = false;
  const watchers = new Set<() => void>();
  let waiting: LogLine[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stream: { resume: () => void } | undefined;
  let snapshot: LogSnapshot = {
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

  function change(next: Partial<LogSnapshot>) {
    if (signal.aborted) return;
    const shown = found?.buffer ?? buffer;
    const first = buffer.first() ?? 1;
    snapshot = {
      ...snapshot,
      ...next,
      lines: shown.lines,
      before: found ? found.before : first > 1 && (!isAtStart || buffer.isCut) ? first : null,
      all: all.shown,
      found: counted.shown,
      error: loadError ?? findError,
      isFull: shown.room() <= 0,
    };
    for (const tell of watchers) tell();
  }

  function flush() {
    clearTimeout(timer);
    timer = undefined;
    const last = buffer.last();
    const arrived = waiting;
    waiting = [];
    if (buffer.append(arrived) === 0) return;
    const fresh = arrived.filter(({ number }) => number > last);
    all.add(fresh);
    if (counted !== all) counted.add(fresh);
    found?.take(fresh);
    change({});
  }

  function arrive(lines: readonly LogLine[]) {
    waiting.push(...lines);
    if (waiting.length >= flushLines) flush();
    else timer ??= setTimeout(flush, flushMs);
  }

  async function load() {
    isLoading = true;
    loadError = null;
    change({ state: 'connecting' });
    try {
      const { logs } = await list({ id, limit: firstPage }, { signal });
      if (signal.aborted) return;
      buffer.append(logs);
      isAllLoaded = true;
      void tell(all);
      if (counted !== all) void tell(counted);
      void find(snapshot.filter);
      stream = followLog({
        deploymentId: id,
        open,
        signal,
        after() {
          flush();
          return buffer.last();
        },
        onLines: arrive,
        onState(state, attempt) {
          flush();
          change({ state, attempt });
        },
      });
    } catch (error) {
      loadError = error;
      change({ state: 'lost' });
    } finally {
      isLoading = false;
    }
  }

  const held = () => buffer.lines.map(({ line }) => line);

  /** Asks how many lines there are. Without an answer no numbers are shown, and the log goes on. */
  async function tell(counts: typeof all) {
    try {
      counts.take(await count({ id, ...(counts.search ? { search: counts.search } : {}) }, { signal }), held());
      change({});
    } catch (error) {
      if (!signal.aborted) console.warn('The lines could not be counted.', error);
    }
  }

  /** Shows what passes the filter, of all lines of the log. */
  async function filter(next: LogFilter): Promise<void> {
    if (sameFilter(next, snapshot.filter)) return;
    if (next.search !== counted.search) {
      counted = next.search === '' ? all : createCounts(next.search);
      if (counted !== all && isAllLoaded) void tell(counted);
    }
    await find(next);
  }

  /** Nothing is asked before the first lines are here: what came between the two answers would be in neither. */
  async function find(wanted: LogFilter): Promise<void> {
    found?.close();
    const mine = isFiltering(wanted) ? createFoundLines({ id, filter: wanted, list, capacity }) : null;
    found = mine;
    findError = null;
    change({ filter: wanted, isLoaded: mine === null && isAllLoaded, isLoadingOlder: false });
    if (!mine || !isAllLoaded) return;
    try {
      await mine.load(signal, held);
      if (mine === found) change({ isLoaded: true });
    } catch (error) {
      if (mine !== found) return;
      findError = error;
      change({});
    }
  }

  async function loadOlder(): Promise<boolean> {
    if (snapshot.before === null || snapshot.isFull || snapshot.isLoadingOlder) return false;
    const mine = found;
    change({ isLoadingOlder: true });
    try {
      if (mine) return await mine.loadOlder(signal);
      const { logs } = await list({ id, before: snapshot.before, limit: olderPage }, { signal });
      isAtStart = logs.length === 0;
      return buffer.prepend(logs) > 0;
    } finally {
      if (mine === found) change({ isLoadingOlder: false });
    }
  }

  /** Loads back to a line; false when it lies too far back or is no longer stored. */
  async function reach(number: number): Promise<boolean> {
    const isMissing = () => (snapshot.lines[0]?.line.number ?? Number.POSITIVE_INFINITY) > number;
    for (let page = 0; page < reachPages && snapshot.before !== null && isMissing(); page += 1) if (!(await loadOlder())) break;
    if (found) return found.buffer.lines.some(({ line }) => line.number === number);
    const first = buffer.first();
    return first !== null && first <= number && number <= buffer.last();
  }

  void load();

  return {
    subscribe(tell: () => void) {
      watchers.add(tell);
      return () => {
        watchers.delete(tell);
      };
    },
    snapshot: () => snapshot,
    filter,
    loadOlder,
    reach,
    firstError: () => findFirstError(id, list, signal),
    /** Connects afresh: after it gave up, after a sleep, or after the first lines could not be loaded. */
    resume() {
      if (stream) stream.resume();
      else if (!isLoading) void load();
      if (findError) void find(snapshot.filter);
    },
    close() {
      clearTimeout(timer);
      closed.abort();
    },
  };
}
