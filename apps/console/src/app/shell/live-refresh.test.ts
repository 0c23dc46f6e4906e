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
    awake,
    pause: async (ms) => void pauses.push(ms),
    signal: stop.signal,
  });
  return { asked, pauses, changes };
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
