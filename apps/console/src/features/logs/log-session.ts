import type { LogLine } from '@paddock/contract';
import { bufferCapacity, createLogBuffer, type HeldLine } from './log-buffer.ts';
import { followLog, type OpenStream, type StreamState } from './log-stream.ts';

export interface LogSnapshot {
  lines: readonly HeldLine[];
  state: StreamState;
  /** Which reconnect is waited for. */
  attempt: number;
  /** Why the first lines could not be loaded. */
  error: unknown;
  isLoaded: boolean;
  isLoadingOlder: boolean;
  /** No room is left for older lines. */
  isFull: boolean;
}

interface ListInput {
  id: string;
  limit: number;
  before?: number;
  after?: number;
  level?: LogLine['level'];
}
export type ListLines = (input: ListInput, options: { signal: AbortSignal }) => Promise<{ logs: LogLine[] }>;

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
  open,
  capacity = bufferCapacity,
}: {
  deploymentId: string;
  list: ListLines;
  open: OpenStream;
  capacity?: number;
}) {
  const closed = new AbortController();
  const { signal } = closed;
  const buffer = createLogBuffer(capacity);
  const watchers = new Set<() => void>();
  let waiting: LogLine[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stream: { resume: () => void } | undefined;
  let snapshot: LogSnapshot = {
    lines: [],
    state: 'connecting',
    attempt: 0,
    error: null,
    isLoaded: false,
    isLoadingOlder: false,
    isFull: false,
  };

  function change(next: Partial<LogSnapshot>) {
    if (signal.aborted) return;
    snapshot = { ...snapshot, ...next, lines: buffer.lines, isFull: buffer.room() <= 0 };
    for (const tell of watchers) tell();
  }

  function flush() {
    clearTimeout(timer);
    timer = undefined;
    const arrived = waiting;
    waiting = [];
    if (buffer.append(arrived) > 0) change({});
  }

  function arrive(lines: readonly LogLine[]) {
    waiting.push(...lines);
    if (waiting.length >= flushLines) flush();
    else timer ??= setTimeout(flush, flushMs);
  }

  async function load() {
    change({ error: null, state: 'connecting' });
    try {
      const { logs } = await list({ id, limit: firstPage }, { signal });
      if (signal.aborted) return;
      buffer.append(logs);
      change({ isLoaded: true });
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
      if (!signal.aborted) change({ error, state: 'lost' });
    }
  }

  async function loadOlder(): Promise<boolean> {
    const before = buffer.first();
    if (before === null || before <= 1 || buffer.room() <= 0 || snapshot.isLoadingOlder) return false;
    change({ isLoadingOlder: true });
    try {
      const { logs } = await list({ id, before, limit: olderPage }, { signal });
      return buffer.prepend(logs) > 0;
    } finally {
      change({ isLoadingOlder: false });
    }
  }

  /** Loads back to a line; false when it lies too far back or is no longer stored. */
  async function reach(number: number): Promise<boolean> {
    for (let page = 0; page < reachPages && (buffer.first() ?? 0) > number; page += 1) if (!(await loadOlder())) break;
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
    loadOlder,
    reach,
    /** The number of the first error of the whole log, held or not; null when there is none. */
    async firstError(): Promise<number | null> {
      const { logs } = await list({ id, level: 'error', after: 0, limit: 1 }, { signal });
      return logs[0]?.number ?? null;
    },
    /** Connects afresh: after it gave up, after a sleep, or after the first lines could not be loaded. */
    resume() {
      if (stream) stream.resume();
      else if (snapshot.error) void load();
    },
    close() {
      clearTimeout(timer);
      closed.abort();
    },
  };
}
