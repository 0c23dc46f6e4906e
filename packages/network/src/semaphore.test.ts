import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSemaphore } from './semaphore.ts';

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
  const results = await Promise.allSettled([0, 1, 2, 3, 4, 5].map((n) => inTurn(work(n))));
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
  const first = inTurn(() => sleep(20, 'first'));
  const second = inTurn(() => assert.fail('it began'), { signal: called.signal });
  const third = inTurn(async () => 'third');
  called.abort();
  await assert.rejects(second, { name: 'AbortError' });
  assert.deepEqual(await Promise.all([first, third]), ['first', 'third']);
});

test('a team that came first with much work has another team wait for one work, not for all of it', async () => {
  const atWork = createSemaphore(1);
  const done: string[] = [];
  const work = (team_id: string) => atWork(async () => void done.push(team_id), { owner: team_id });
  await Promise.all([...['a', 'a', 'a', 'a', 'b', 'b', 'c'].map(work)]);
  assert.deepEqual(done, ['a', 'a', 'b', 'c', 'a', 'b', 'a']);
});

test('work that fails gives its turn on', async () => {
  const atWork = createSemaphore(1);
  const failing = atWork(() => Promise.reject(new Error('no')), { owner: 'a' });
  const next = atWork(async () => 'done', { owner: 'b' });
  await assert.rejects(failing);
  assert.equal(await next, 'done');
  assert.equal(await atWork(async () => 'again', { owner: 'a' }), 'again');
});
