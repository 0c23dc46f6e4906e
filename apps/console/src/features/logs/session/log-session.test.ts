import type { LogCounts, LogLine } from '@paddock/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CountLines, ListLines } from './log-calls.ts';
import { type LogSession, openLogSession } from './log-session.ts';
import type { OpenStream, StreamEvents } from './log-stream.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const line = (number: number): LogLine => ({
  id: `log_${number}`,
  number,
  level: 'info',
  source: 'agent',
  message: `line ${number}`,
  created_at: '2026-11-20T12:00:00.000Z',
});
const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => line(from + index));

const noCount: CountLines = () => new Promise<never>(() => undefined);
const silent: OpenStream = () => undefined;
const recorder = () => {
  const opened: { after: number; events: StreamEvents }[] = [];
  const open: OpenStream = ({ after }, events) => void opened.push({ after, events });
  return { opened, open };
};
const settled = () => vi.advanceTimersByTimeAsync(0);
const numbersOf = ({ snapshot }: LogSession) => snapshot().lines.map((held) => held.line.number);

test('the first error is looked for as far as the server comes, look after look', async () => {
  const asked: unknown[] = [];
  const list: ListLines = async ({ level, after }) => {
    if (level !== 'error') return { logs: [] };
    asked.push(after);
    return after === 2000 ? { logs: [line(2500)], searched_to: null } : { logs: [], searched_to: Number(after) + 1000 };
  };
  const session = openLogSession({ deploymentId: 'dep_1', count: noCount, list, open: silent });
  expect(await session.findError('first')).toEqual({ number: 2500, searchedTo: null });
  expect(asked).toEqual([0, 1000, 2000]);
  session.close();
});

test('the last error is looked for from the end back, look after look', async () => {
  const asked: unknown[] = [];
  const list: ListLines = async ({ level, before }) => {
    if (level !== 'error') return { logs: [] };
    asked.push(before);
    return before === 7000 ? { logs: [line(6500)], searched_to: null } : { logs: [], searched_to: (before ?? 9000) - 1000 };
  };
  const session = openLogSession({ deploymentId: 'dep_1', count: noCount, list, open: silent });
  expect(await session.findError('last')).toEqual({ number: 6500, searchedTo: null });
  expect(asked).toEqual([undefined, 8000, 7000]);
  session.close();
});

test('a log in which no look comes to an error is not said to have none, but how far it was searched', async () => {
  let looks = 0;
  const list: ListLines = async ({ level, after }) => {
    if (level !== 'error') return { logs: [] };
    looks += 1;
    return { logs: [], searched_to: Number(after) + 1000 };
  };
  const session = openLogSession({ deploymentId: 'dep_1', count: noCount, list, open: silent });
  const first = await session.findError('first');
  expect(looks).toBeLessThanOrEqual(20);
  expect(first).toEqual({ number: null, searchedTo: looks * 1000 });
  session.close();
});

test('a log without an error is said to have none, also by a server that does not tell how far it came', async () => {
  const session = openLogSession({ deploymentId: 'dep_1', count: noCount, list: async () => ({ logs: [] }), open: silent });
  expect(await session.findError('first')).toEqual({ number: null, searchedTo: null });
  session.close();
});

test('a look for the first error that ends with its log tells nothing', async () => {
  const list: ListLines = (_, { signal }) => new Promise((_answer, fail) => signal.addEventListener('abort', () => fail(signal.reason)));
  const session = openLogSession({ deploymentId: 'dep_1', count: noCount, list, open: silent });
  const first = session.findError('first');
  session.close();
  expect(await first).toBeNull();
});

test('of a log that is opened with a search, lines that come between two answers are found and counted too', async () => {
  let total = 1300;
  let answerFirst = () => undefined as void;
  const list: ListLines = async ({ limit, search }) => {
    if (!search) await new Promise<void>((resolve) => (answerFirst = resolve));
    return { logs: lines(1, total).slice(-limit) };
  };
  const count: CountLines = async (): Promise<LogCounts> => ({
    ...{ total, last_number: total, is_complete: true, counted_from: null },
    levels: { debug: 0, info: total, warning: 0, error: 0 },
  });
  const session = openLogSession({ deploymentId: 'dep_1', count, list, open: silent });
  void session.filter({ search: 'line', levels: [] });
  await settled();
  total = 1500;
  answerFirst();
  await settled();
  expect(session.snapshot().isLoaded).toBe(true);
  expect(numbersOf(session).slice(-200)).toEqual(lines(1301, 1500).map(({ number }) => number));
  expect(session.snapshot().found).toMatchObject({ total: 1500, isComplete: true });
  session.close();
});

test('a count that takes the server several requests goes on to the oldest line, together with what is written meanwhile', async () => {
  const { opened, open } = recorder();
  const asked: unknown[] = [];
  const answers: (() => void)[] = [];
  const count: CountLines = async ({ search, before = 31 }) => {
    if (!search) return new Promise<never>(() => undefined);
    asked.push(before);
    await new Promise<void>((resolve) => answers.push(resolve));
    const counted_from = before > 11 ? before - 10 : null;
    return {
      total: 10,
      levels: { debug: 0, info: 10, warning: 0, error: 0 },
      last_number: before - 1,
      is_complete: !counted_from,
      counted_from,
    };
  };
  const session = openLogSession({ deploymentId: 'dep_1', count, list: async ({ limit }) => ({ logs: lines(1, 30).slice(-limit) }), open });
  await settled();
  await session.filter({ search: 'line', levels: [] });
  answers[0]?.();
  await settled();
  expect(session.snapshot().found).toMatchObject({ total: 10, isComplete: false });
  opened[0]?.events.onLines([line(31)]);
  answers[1]?.();
  await vi.advanceTimersByTimeAsync(100);
  expect(session.snapshot().found).toMatchObject({ total: 21, isComplete: false });
  answers[2]?.();
  await settled();
  expect(session.snapshot().found).toEqual({ total: 31, isComplete: true, levels: { debug: 0, info: 31, warning: 0, error: 0 } });
  expect(asked).toEqual([31, 21, 11]);
  session.close();
});

test('a count of words that nobody looks for any more asks no further', async () => {
  let asked = 0;
  let answer = () => undefined as void;
  const count: CountLines = async ({ search }) => {
    if (search !== 'line') return new Promise<never>(() => undefined);
    asked += 1;
    await new Promise<void>((resolve) => (answer = resolve));
    return { total: 0, levels: { debug: 0, info: 0, warning: 0, error: 0 }, last_number: 30, is_complete: false, counted_from: 21 };
  };
  const session = openLogSession({ deploymentId: 'dep_1', count, list: async () => ({ logs: lines(1, 30) }), open: silent });
  await settled();
  await session.filter({ search: 'line', levels: [] });
  await session.filter({ search: 'other', levels: [] });
  answer();
  await settled();
  expect(asked).toBe(1);
  session.close();
});

test('a log that could not be loaded can be connected again after a filter was set', async () => {
  const { opened, open } = recorder();
  let works = false;
  const list: ListLines = async ({ limit, search }) => {
    if (!works && !search) throw new Error('away');
    return { logs: lines(1, 30).slice(-limit) };
  };
  const session = openLogSession({ deploymentId: 'dep_1', count: noCount, list, open });
  await settled();
  await session.filter({ search: 'line', levels: [] });
  expect(session.snapshot()).toMatchObject({ error: { message: 'away' }, state: 'lost' });
  works = true;
  session.resume();
  await settled();
  expect(session.snapshot()).toMatchObject({ error: null, isLoaded: true });
  expect(numbersOf(session)).toHaveLength(30);
  expect(opened).toHaveLength(1);
  session.close();
});

test('a filter that fails and is tried again loads the log once and opens one stream', async () => {
  const { opened, open } = recorder();
  let works = false;
  let answerFirst = () => undefined as void;
  let firstPages = 0;
  const list: ListLines = async ({ limit, search }) => {
    if (search && !works) throw new Error('too busy');
    if (!search) {
      firstPages += 1;
      await new Promise<void>((resolve) => (answerFirst = resolve));
    }
    return { logs: lines(1, 30).slice(-limit) };
  };
  const session = openLogSession({ deploymentId: 'dep_1', count: noCount, list, open });
  void session.filter({ search: 'line', levels: [] });
  await settled();
  session.resume();
  answerFirst();
  await settled();
  answerFirst();
  await settled();
  expect(session.snapshot().error).toMatchObject({ message: 'too busy' });
  expect(opened).toHaveLength(1);
  works = true;
  session.resume();
  await settled();
  expect(session.snapshot()).toMatchObject({ error: null, isLoaded: true, state: 'reconnecting' });
  expect(firstPages).toBe(1);
  expect(numbersOf(session)).toHaveLength(30);
  session.close();
});

test('a log whose oldest lines were dropped from the full viewer says again that there are earlier ones', async () => {
  for (const search of ['', 'line']) {
    const { opened, open } = recorder();
    const list: ListLines = async ({ limit, before = Number.POSITIVE_INFINITY }) => ({
      logs: lines(3, 102)
        .filter(({ number }) => number < before)
        .slice(-limit),
    });
    const session = openLogSession({ deploymentId: 'dep_1', count: noCount, list, open, capacity: 150 });
    await session.filter({ search, levels: [] });
    await settled();
    await session.loadOlder();
    expect(session.snapshot().before).toBeNull();
    opened[0]?.events.onLines(lines(103, 200));
    await vi.advanceTimersByTimeAsync(100);
    expect(session.snapshot()).toMatchObject({ before: 51, isFull: true });
    session.close();
  }
});

test('what did not fit into the viewer of the matches that were loaded last is said to be missing', async () => {
  const { open } = recorder();
  const list: ListLines = async ({ limit, search, before = Number.POSITIVE_INFINITY }) => {
    const logs = lines(1, 300)
      .filter(({ number }) => number < before)
      .slice(-limit);
    return { logs, ...(search ? { searched_to: null } : {}) };
  };
  const session = openLogSession({ deploymentId: 'dep_1', count: noCount, list, open, capacity: 250 });
  void session.filter({ search: 'line', levels: [] });
  await settled();
  await session.loadOlder();
  expect(session.snapshot()).toMatchObject({ before: 51, isFull: true });
  session.close();
});
