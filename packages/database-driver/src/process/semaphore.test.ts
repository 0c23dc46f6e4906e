import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSemaphore } from './semaphore.ts';

const never = new AbortController().signal;

test('a fixed number of pieces of work runs at a time, in the order in which they came, and failed work makes room, too', async () => {
  const inTurn = createSemaphore(2);
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  const work = (n: number) => async () => {
    begun.push(n);
    most = Math.max(most, ++running);
    await sleep(5);
    running--;
    if (n === 1) throw new Error('failed');
    return n;
  };
  const results = await Promise.allSettled([0, 1, 2, 3, 4, 5].map((n) => inTurn(work(n), never)));
  assert.equal(most, 2);
  assert.deepEqual(begun, [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled', 'fulfilled'],
  );
});

test('work that is called off while it waits never begins, and holds up no other work', async () => {
  const inTurn = createSemaphore(1);
  const called = new AbortController();
  const first = inTurn(() => sleep(20, 'first'), never);
  const second = inTurn(() => assert.fail('it began'), called.signal);
  const third = inTurn(async () => 'third', never);
  called.abort();
  await assert.rejects(second, { name: 'AbortError' });
  assert.deepEqual(await Promise.all([first, third]), ['first', 'third']);
});
