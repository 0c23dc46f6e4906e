import assert from 'node:assert/strict';
import test from 'node:test';
import { useIdleCores } from './idle-cores.ts';

/** Shares of idle time, one for each interval after the first. Returns whether each of them led to an extra slot. */
async function grants(shares: readonly number[], freeBytes = 8 * 1024 ** 3): Promise<boolean[]> {
  const told: boolean[] = [];
  const left = [...shares];
  let [idle, total, isGranted] = [0, 0, false];
  await new Promise<void>((done) => {
    const read = () => {
      if (total > 0) told.push(isGranted);
      isGranted = false;
      const share = left.shift();
      if (share === undefined) done();
      idle += 100 * (share ?? 0);
      total += 100;
      return { idle, total };
    };
    const cores = useIdleCores({ grantExtra: () => (isGranted = true) }, 1, { read, freeBytes: () => freeBytes, intervalMs: 1 });
    setTimeout(cores.stop, 2000).unref();
  });
  return told;
}

test('an extra slot is granted after each interval in which the cores were idle for a quarter of their time', async () => {
  assert.deepEqual((await grants([0, 0.1, 0.25, 0.9, 0])).slice(0, 5), [false, false, true, true, false]);
});

test('a machine that is short of memory gets no extra work', async () => {
  assert.deepEqual((await grants([0, 1, 1, 0], 1024 ** 3)).slice(0, 4), [false, false, false, false]);
});
