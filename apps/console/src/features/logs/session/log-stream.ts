import type { LogLine } from '@paddock/contract';

export type StreamState = 'connecting' | 'connected' | 'reconnecting' | 'ended' | 'lost';

export interface StreamEvents {
  onOpen: () => void;
  onLines: (lines: LogLine[]) => void;
  /** The deployment has ended and every line was sent. */
  onEnd: () => void;
  /** The connection broke or could not be opened. Called at most once, and not after `onEnd`. */
  onLost: (cause: unknown) => void;
}
export interface StreamRequest {
  deploymentId: string;
  /** The number of the line before the first requested one. */
  after: number;
  signal: AbortSignal;
}
/** Opens one connection that sends every line after the given number; it closes without an event when the signal aborts. */
export type OpenStream = (request: StreamRequest, events: StreamEvents) => void;

export const reconnectAttempts = 5;
const delayMs = 1000;

/**
 * Follows a live log: after a lost connection it retries up to five times, one second later each time, from the last line that arrived. An
 * open connection resets the count. `resume` reconnects at once: after the retries ended, or after a sleep, when a socket may look open but
 * be dead.
 */
export function followLog(options: {
  deploymentId: string;
  open: OpenStream;
  /** The number of the last loaded line; lines up to it may arrive twice, and the buffer drops them. */
  after: () => number;
  onLines: (lines: LogLine[]) => void;
  onState: (state: StreamState, attempt: number) => void;
  signal: AbortSignal;
}) {
  const { deploymentId, open, after, onLines, onState, signal } = options;
  let attempt = 0;
  let state: StreamState = 'connecting';
  let connection = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const become = (next: StreamState) => {
    state = next;
    onState(next, attempt);
  };

  function connect() {
    clearTimeout(timer);
    connection.abort();
    const mine = new AbortController();
    connection = mine;
    const current = () => !mine.signal.aborted && !signal.aborted;
    const events: StreamEvents = {
      onOpen() {
        if (!current()) return;
        attempt = 0;
        become('connected');
      },
      onLines(lines) {
        if (current()) onLines(lines);
      },
      onEnd() {
        if (!current()) return;
        mine.abort();
        become('ended');
      },
      onLost() {
        if (!current()) return;
        mine.abort();
        attempt += 1;
        if (attempt > reconnectAttempts) return become('lost');
        become('reconnecting');
        timer = setTimeout(connect, delayMs * attempt);
      },
    };
    open({ deploymentId, after: after(), signal: AbortSignal.any([mine.signal, signal]) }, events);
  }

  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  if (!signal.aborted) {
    become('connecting');
    connect();
  }

  return {
    resume() {
      if (signal.aborted || state === 'ended') return;
      attempt = 0;
      become('reconnecting');
      connect();
    },
  };
}
