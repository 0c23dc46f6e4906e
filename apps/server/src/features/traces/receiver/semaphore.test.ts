import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSemaphore } from './semaphore.ts';

test('a team that came first with much work has another team wait for one work, not for all of it', async () => {
  const atWork = createSemaphore(1);
  const done: string[] = [];
  const work = (team_id: string) => atWork(team_id, async () => void done.push(team_id));
  await Promise.all([...['a', 'a', 'a', 'a', 'b', 'b', 'c'].map(work)]);
  assert.deepEqual(done, ['a', 'a', 'b', 'c', 'a', 'b', 'a']);
});

test('work that fails gives its turn on', async () => {
  const atWork = createSemaphore(1);
  const failing = atWork('a', () => Promise.reject(new Error('no')));
  const next = atWork('b', async () => 'done');
  await assert.rejects(failing);
  assert.equal(await next, 'done');
  assert.equal(await atWork('a', async () => 'again'), 'again');
});
