import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fairQueue } from './fair-queue.ts';

test('owners take turns, and the items of one owner come out in their order', () => {
  const queue = fairQueue<string>();
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.push(item[0]!, item);
  const items = Array.from({ length: 7 }, () => queue.shift());
  assert.deepEqual(items, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined]);
});
