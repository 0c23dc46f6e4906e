import type { LogLine } from '@paddock/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openLogSession } from './log-session.ts';
import { followLog, type OpenStream, type StreamEvents, type StreamState } from './log-stream.ts';

const line = (number: number): LogLine => ({
  id: `log_${number}`,
  number,
  level: 'info',
  source: 'agent',
  message: `line ${number}`,
  created_at: '2026-11-20T12:00:00.000Z',
});
const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => line(from + index));

interface Opened {
  after: number;
  events: StreamEvents;
  signal: AbortSignal;
}
const recorder = () => {
  const opened: Opened[] = [];
  const open: OpenStream = ({ after, signal }, events) => void opened.push({ after, events, signal });
  return { opened, open, latest: () => opened.at(-1) as Opened };
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function follow() {
  const { opened, open, latest } = recorder();
  const states: [StreamState, number][] = [];
  let last = 0;
  const stop = new AbortController();
  const stream = followLog({
    deploymentId: 'dep_1',
    open,
    after: () => last,
    onLines: (arrived) => {
      last = arrived.at(-1)?.number ?? last;
    },
    onState: (state, attempt) => states.push([state, attempt]),
    signal: stop.signal,
  });
  return { opened, latest, states, stop, stream };
}

test('after a break it connects again from the last line, one second later each time, and gives up after five', () => {
  const { opened, latest, states } = follow();
  latest().events.onOpen();
  latest().events.onLines(lines(1, 7));
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    latest().events.onLost(null);
    vi.advanceTimersByTime(attempt * 1000 - 1);
    expect(opened).toHaveLength(attempt);
    vi.advanceTimersByTime(1);
    expect(opened).toHaveLength(attempt + 1);
    expect(latest().after).toBe(7);
  }
  latest().events.onLost(null);
  vi.advanceTimersByTime(60_000);
  expect(opened).toHaveLength(6);
  expect(states.at(-1)).toEqual(['lost', 6]);
});

test('a connection that stands gives all five tries back', () => {
  const { latest, states } = follow();
  for (let round = 0; round < 8; round += 1) {
    latest().events.onLost(null);
    expect(states.at(-1)).toEqual(['reconnecting', 1]);
    vi.advanceTimersByTime(1000);
    latest().events.onOpen();
  }
});

test('the end of the log is the end: nothing connects again, not even on resume', () => {
  const { opened, latest, states, stream } = follow();
  latest().events.onOpen();
  latest().events.onEnd();
  latest().events.onLost(null);
  stream.resume();
  vi.advanceTimersByTime(60_000);
  expect(opened).toHaveLength(1);
  expect(states.at(-1)?.[0]).toBe('ended');
});

test('resume closes the connection at hand and opens one from the last line', () => {
  const { opened, latest, stream } = follow();
  latest().events.onOpen();
  latest().events.onLines(lines(1, 3));
  const before = latest();
  stream.resume();
  expect(before.signal.aborted).toBe(true);
  expect(opened).toHaveLength(2);
  expect(latest().after).toBe(3);
  before.events.onLines(lines(1, 9));
  expect(latest().after).toBe(3);
});

test('once stopped it neither connects nor tells anything', () => {
  const { opened, latest, states, stop } = follow();
  latest().events.onLost(null);
  stop.abort();
  vi.advanceTimersByTime(60_000);
  expect(opened).toHaveLength(1);
  expect(states).toHaveLength(2);
});

const noCount = () => new Promise<never>(() => undefined);
const stored = (total: number) => async (input: { limit: number; before?: number; after?: number; level?: string }) => {
  const all = lines(1, total).filter(({ number }) => number < (input.before ?? Number.POSITIVE_INFINITY) && number > (input.after ?? 0));
  return { logs: input.after === undefined ? all.slice(-input.limit) : all.slice(0, input.limit) };
};

test('a session shows the last hundred lines, then streams from there without doubles', async () => {
  const { open, latest } = recorder();
  const session = openLogSession({ deploymentId: 'dep_1', count: noCount, list: stored(250), open });
  await vi.advanceTimersByTimeAsync(0);
  expect(session.snapshot().lines.map((held) => held.line.number)).toEqual(lines(151, 250).map(({ number }) => number));
  expect(latest().after).toBe(250);
  latest().events.onOpen();
  latest().events.onLines(lines(249, 260));
  await vi.advanceTimersByTimeAsync(100);
  expect(session.snapshot().lines).toHaveLength(110);
  expect(session.snapshot().state).toBe('connected');
  session.close();
});

test('a break right after lines arrived asks for what follows them, though nobody was told of them yet', async () => {
  const { open, latest } = recorder();
  const session = openLogSession({ deploymentId: 'dep_1', count: noCount, list: stored(10), open });
  await vi.advanceTimersByTimeAsync(0);
  latest().events.onLines(lines(11, 20));
  latest().events.onLost(null);
  await vi.advanceTimersByTimeAsync(1000);
  expect(latest().after).toBe(20);
  session.close();
});

test('a line far back is reached by loading what lies between, and one out of reach is said to be', async () => {
  const { open } = recorder();
  const session = openLogSession({ deploymentId: 'dep_1', count: noCount, list: stored(30_000), open });
  await vi.advanceTimersByTimeAsync(0);
  expect(await session.reach(29_000)).toBe(true);
  expect(session.snapshot().lines[0]?.line.number).toBeLessThanOrEqual(29_000);
  expect(await session.reach(1)).toBe(false);
  session.close();
});

test('when the first lines cannot be loaded the session says why and can begin again', async () => {
  const { open, opened } = recorder();
  let works = false;
  const list = async (input: { limit: number }) => {
    if (!works) throw new Error('away');
    return stored(3)(input);
  };
  const session = openLogSession({ deploymentId: 'dep_1', count: noCount, list, open });
  await vi.advanceTimersByTimeAsync(0);
  expect(session.snapshot().error).toMatchObject({ message: 'away' });
  expect(opened).toHaveLength(0);
  works = true;
  session.resume();
  await vi.advanceTimersByTimeAsync(0);
  expect(session.snapshot()).toMatchObject({ error: null, isLoaded: true });
  session.close();
});
