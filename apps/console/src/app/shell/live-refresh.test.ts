import { ApiError } from '@paddock/contract/errors';
import { expect, test } from 'vitest';
import { followChanges } from './live-refresh.ts';

interface Script {
  answers: (number | Error)[];
  awake?: () => Promise<void>;
}

/** Runs the loop over the given responses and stops it after the last. */
async function run({ answers, awake = async () => undefined }: Script) {
  const stop = new AbortController();
  const asked: number[] = [];
  const pauses: number[] = [];
  let changes = 0;
  const reached: boolean[] = [];
  await followChanges({
    wait: async (after) => {
      asked.push(after);
      const next = answers.shift();
      if (answers.length === 0) stop.abort();
      if (next instanceof Error) throw next;
      return next ?? after;
    },
    onChange: () => {
      changes += 1;
    },
    onReachable: (isReachable) => void reached.push(isReachable),
    awake,
    pause: async (ms) => void pauses.push(ms),
    signal: stop.signal,
  });
  return { asked, pauses, changes, reached };
}

test('it asks from the version it has and calls back only when that changes', async () => {
  const { asked, changes } = await run({ answers: [4, 4, 4, 5] });
  expect(asked).toEqual([0, 4, 4, 4]);
  expect(changes).toBe(2);
});

test('after failures it waits longer each time, and after a success from the beginning', async () => {
  const away = new Error('away');
  const { pauses } = await run({ answers: [away, away, away, 3, away, 3] });
  expect(pauses.filter((ms) => ms >= 1000)).toEqual([1000, 2000, 4000, 1000]);
});

test('a server that does not answer twice is said to be away, and its next answer counts as a change', async () => {
  const away = () => new ApiError('network');
  const { reached, changes } = await run({ answers: [3, away(), 3, away(), away(), away(), 3, 3] });
  expect(reached).toEqual([true, true, false, false, true, true]);
  expect(changes).toBe(3);
});

test('a server that answers with an error of its own is not away', async () => {
  const { reached } = await run({ answers: [3, new ApiError('internal'), new ApiError('internal'), 3, 3] });
  expect(reached).toEqual([true, true, true]);
});

test('a nudge ends a pause and a request', async () => {
  const stop = new AbortController();
  let nudge = new AbortController();
  const nudged = () => {
    nudge.abort();
    nudge = new AbortController();
  };
  const until = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
  let asked = 0;
  const loop = followChanges({
    wait: async (_after, signal) => {
      asked += 1;
      if (asked === 1) throw new ApiError('network');
      if (asked === 3) {
        stop.abort();
        return 1;
      }
      queueMicrotask(nudged);
      await until(signal);
      throw signal.reason;
    },
    onChange: () => undefined,
    onReachable: () => undefined,
    awake: async () => undefined,
    pause: (_ms, signal) => {
      queueMicrotask(nudged);
      return until(signal);
    },
    nudge: () => nudge.signal,
    signal: stop.signal,
  });
  await loop;
  expect(asked).toBe(3);
});

test('while nobody looks it asks nothing', async () => {
  let looks = false;
  let asked = 0;
  const stop = new AbortController();
  let wake: () => void = () => undefined;
  const loop = followChanges({
    wait: async () => {
      asked += 1;
      stop.abort();
      return 1;
    },
    onChange: () => undefined,
    onReachable: () => undefined,
    awake: () => (looks ? Promise.resolve() : new Promise<void>((resolve) => (wake = resolve))),
    pause: async () => undefined,
    signal: stop.signal,
  });
  await Promise.resolve();
  expect(asked).toBe(0);
  looks = true;
  wake();
  await loop;
  expect(asked).toBe(1);
});
