import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tokenBuckets } from './token-buckets.ts';

/** How many of `of` requests are allowed at a moment. */
const taken = (buckets: ReturnType<typeof tokenBuckets>, key: string, { of, at }: { of: number; at: number }) =>
  Array.from({ length: of }, () => buckets.take(key, at)).filter(Boolean).length;

test('after a pause a burst passes, then so many a second', () => {
  const buckets = tokenBuckets({ perSecond: 10, burst: 100 });
  assert.equal(taken(buckets, 'a', { of: 1_000, at: 5_000 }), 100);
  assert.equal(taken(buckets, 'a', { of: 1_000, at: 5_099 }), 0);
  assert.equal(taken(buckets, 'a', { of: 1_000, at: 5_100 }), 1);
  assert.equal(taken(buckets, 'a', { of: 1_000, at: 6_100 }), 10);
  assert.equal(taken(buckets, 'a', { of: 1_000, at: 60_000 }), 100);
});

test('a steady rate below the limit passes whole, one above it to the limit', () => {
  const slow = tokenBuckets({ perSecond: 10, burst: 1 });
  for (let at = 0; at < 10_000; at += 100) assert.ok(slow.take('a', at), `at ${at} ms`);
  const fast = tokenBuckets({ perSecond: 10, burst: 1 });
  let passed = 0;
  for (let at = 0; at < 10_000; at += 1) passed += Number(fast.take('a', at));
  assert.equal(passed, 100);
});

test('the buckets of two deployments have nothing to do with each other', () => {
  const buckets = tokenBuckets({ perSecond: 1, burst: 2 });
  assert.equal(taken(buckets, 'a', { of: 9, at: 0 }), 2);
  assert.equal(taken(buckets, 'b', { of: 9, at: 0 }), 2);
});

test('only buckets that are not full are remembered, and forgetting the others lets nothing more through', () => {
  const buckets = tokenBuckets({ perSecond: 10, burst: 100 });
  for (let key = 0; key < 1_000; key++) buckets.take(`dep_${key}`, 0);
  assert.equal(taken(buckets, 'busy', { of: 1_000, at: 0 }), 100);
  buckets.forgetFull(5_000);
  assert.equal(buckets.size(), 1);
  assert.equal(taken(buckets, 'busy', { of: 1_000, at: 5_000 }), 50);
  buckets.forgetFull(15_000);
  assert.equal(buckets.size(), 0);
});
