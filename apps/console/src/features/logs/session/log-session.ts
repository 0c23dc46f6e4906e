import type { LogLine } from '@paddock/contract';
import { createCounting } from './counting.ts';
import { findError, type WhichError } from './find-error.ts';
import { createFoundLines, type FoundLines } from './found-lines.ts';
import { createBatches } from './log-batches.ts';
import { bufferCapacity, createLogBuffer } from './log-buffer.ts';
import type { CountLines, ListLines } from './log-calls.ts';
import { isFiltering, type LogFilter, sameFilter } from './log-filter.ts';
import { emptySnapshot, type LogSnapshot } from './log-snapshot.ts';
import { followLog, type OpenStream } from './log-stream.ts';

export type LogSession = ReturnType<typeof openLogSession>;

interface Deps {
  deploymentId: string;
  list: ListLines;
  count: CountLines;
  open: OpenStream;
  capacity?: number;
}

const firstPage = 100;
const olderPage = 500;
/** Maximum number of pages loaded for a link to an old line; lines further back need the download. */
const reachPages = 20;

/**
 * An open log: the last 100 lines first, then live lines, older ones on demand. Subscribers are notified at most every 60 ms, however fast
 * lines arrive. `close` ends every connection and timer.
 */
export function openLogSession(parts: Deps) {
  const log = openLog(parts);
  void load(log);
  return {
    subscribe(tell: () => void) {
      log.watchers.add(tell);
      return () => {
        log.watchers.delete(tell);
      };
    },
    snapshot: () => log.snapshot,
    /** Filters all lines of the log. */
    filter: (next: LogFilter) => filter(log, next),
    loadOlder: () => loadOlder(log),
    reach: (number: number) => reach(log, number),
    findError: (which: WhichError) => findError(which, log.id, log),
    /** Reconnects: after the retries ended, after a sleep, or after the first lines failed to load. */
    resume() {
      if (log.stream) log.stream.resume();
      else if (!log.isLoading) void load(log);
      if (log.findError) void find(log, log.snapshot.filter);
    },
    close() {
      log.batches.stop();
      log.closed.abort();
    },
  };
}

type OpenLog = ReturnType<typeof openLog>;

/** State of a log; the functions below change it. */
function openLog({ deploymentId: id, list, count, open, capacity = bufferCapacity }: Deps) {
  const closed = new AbortController();
  const { signal } = closed;
  const buffer = createLogBuffer(capacity);
  const held = () => buffer.lines.map(({ line }) => line);
  const log = {
    id,
    list,
    open,
    capacity,
    closed,
    signal,
    buffer,
    held,
    /** The matching lines, shown instead of the buffer while there is a filter. */
    found: null as FoundLines | null,
    counting: createCounting({ id, count, signal, held, changed: () => change(log, {}) }),
    batches: createBatches((lines) => take(log, lines)),
    isLoading: false,
    isAllLoaded: false,
    loadError: null as unknown,
    findError: null as unknown,
    /** The oldest stored line was loaded; the full buffer may have evicted it since. */
    isAtStart: false,
    watchers: new Set<() => void>(),
    stream: undefined as { resume: () => void } | undefined,
    snapshot: emptySnapshot,
  };
  return log;
}

function change(log: OpenLog, next: Partial<LogSnapshot>) {
  if (log.signal.aborted) return;
  const shown = log.found?.buffer ?? log.buffer;
  log.snapshot = {
    ...log.snapshot,
    ...next,
    lines: shown.lines,
    before: log.found ? log.found.before : missingBefore(log),
    all: log.counting.all,
    found: log.counting.found,
    error: log.loadError ?? log.findError,
    isFull: shown.room() <= 0,
  };
  for (const tell of log.watchers) tell();
}

/** Without a filter: lines before this number are not loaded. Null if there are none. */
function missingBefore({ buffer, isAtStart }: OpenLog): number | null {
  const first = buffer.first() ?? 1;
  return first > 1 && (!isAtStart || buffer.isCut) ? first : null;
}

/** Adds arrived lines; duplicates are dropped. */
function take(log: OpenLog, arrived: readonly LogLine[]) {
  const last = log.buffer.last();
  if (log.buffer.append(arrived) === 0) return;
  const fresh = arrived.filter(({ number }) => number > last);
  log.counting.add(fresh);
  log.found?.take(fresh);
  change(log, {});
}

/** Loads the last lines, and follows the log from there. */
async function load(log: OpenLog) {
  log.isLoading = true;
  log.loadError = null;
  change(log, { state: 'connecting' });
  try {
    const { logs } = await log.list({ id: log.id, limit: firstPage }, { signal: log.signal });
    if (log.signal.aborted) return;
    log.buffer.append(logs);
    log.isAllLoaded = true;
    log.counting.ask();
    void find(log, log.snapshot.filter);
    log.stream = follow(log);
  } catch (error) {
    log.loadError = error;
    change(log, { state: 'lost' });
  } finally {
    log.isLoading = false;
  }
}

const follow = (log: OpenLog) =>
  followLog({
    deploymentId: log.id,
    open: log.open,
    signal: log.signal,
    after() {
      log.batches.flush();
      return log.buffer.last();
    },
    onLines: log.batches.add,
    onState(state, attempt) {
      log.batches.flush();
      change(log, { state, attempt });
    },
  });

async function filter(log: OpenLog, next: LogFilter): Promise<void> {
  if (sameFilter(next, log.snapshot.filter)) return;
  log.counting.search(next.search, log.isAllLoaded);
  await find(log, next);
}

/** Applies a filter. It sends no search before the first lines are loaded: lines between the two responses would be in neither. */
async function find(log: OpenLog, wanted: LogFilter): Promise<void> {
  const { id, list, capacity } = log;
  log.found?.close();
  const mine = isFiltering(wanted) ? createFoundLines({ id, filter: wanted, list, capacity }) : null;
  log.found = mine;
  log.findError = null;
  change(log, { filter: wanted, isLoaded: mine === null && log.isAllLoaded, isLoadingOlder: false });
  if (!mine || !log.isAllLoaded) return;
  try {
    await mine.load(log.signal, log.held);
    if (mine === log.found) change(log, { isLoaded: true });
  } catch (error) {
    if (mine !== log.found) return;
    log.findError = error;
    change(log, {});
  }
}

/** Loads the page before the shown lines; false if it was empty. */
async function loadOlder(log: OpenLog): Promise<boolean> {
  const { before, isFull, isLoadingOlder } = log.snapshot;
  if (before === null || isFull || isLoadingOlder) return false;
  const mine = log.found;
  change(log, { isLoadingOlder: true });
  try {
    if (mine) return await mine.loadOlder(log.signal);
    const { logs } = await log.list({ id: log.id, before, limit: olderPage }, { signal: log.signal });
    log.isAtStart = logs.length === 0;
    return log.buffer.prepend(logs) > 0;
  } finally {
    if (mine === log.found) change(log, { isLoadingOlder: false });
  }
}

/** Loads back to a line; false if it is too far back or no longer stored. */
async function reach(log: OpenLog, number: number): Promise<boolean> {
  const isMissing = () => (log.snapshot.lines[0]?.line.number ?? Number.POSITIVE_INFINITY) > number;
  for (let page = 0; page < reachPages && log.snapshot.before !== null && isMissing(); page += 1) if (!(await loadOlder(log))) break;
  if (log.found) return log.found.buffer.lines.some(({ line }) => line.number === number);
  const first = log.buffer.first();
  return first !== null && first <= number && number <= log.buffer.last();
}
