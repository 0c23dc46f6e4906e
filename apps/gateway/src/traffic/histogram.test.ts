import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bucketMiddle, findBucket, fromSparse, type Histogram, merge, observe, quantile, toSparse } from './histogram.ts';

test('the middle of a bucket is within 0.8 % of every value in it, from a microsecond to an hour', () => {
  let last = -1;
  for (let value = 1; value < 4_000_000_000; value = Math.ceil(value * 1.003)) {
    const bucket = findBucket(value);
    assert.ok(bucket >= last, 'buckets rise with the value');
    last = bucket;
    assert.ok(Math.abs(bucketMiddle(bucket) - value) <= value * 0.008, `${value} in ${bucket}`);
  }
  for (let value = 0; value < 128; value++) assert.equal(bucketMiddle(findBucket(value)), value);
  for (const odd of [-5, 1e15, Number.POSITIVE_INFINITY]) assert.ok(Number.isInteger(findBucket(odd)));
});

test('buckets mean the same for ever: hours and days of two years ago are read with them', () => {
  const known = [
    [0, 0],
    [63, 63],
    [64, 64],
    [127, 127],
    [128, 128.5],
    [191, 254.5],
    [192, 257.5],
    [193, 261.5],
    [500, 7455.5],
    [1000, 1712127.5],
    [1727, 4278190079.5],
  ] as const;
  for (const [bucket, us] of known) assert.deepEqual([bucketMiddle(bucket), findBucket(us)], [us, bucket]);
});

test('quantiles of merged histograms are those of all values together', () => {
  const parts: Histogram[] = [new Map(), new Map(), new Map()];
  const values = Array.from({ length: 30_000 }, (_, i) => ((i * 7919) % 30_011) * 37);
  for (const [i, value] of values.entries()) observe(parts[i % 3]!, value);
  const all: Histogram = new Map();
  for (const part of parts) merge(all, fromSparse(JSON.parse(JSON.stringify(toSparse(part)))));
  values.sort((a, b) => a - b);
  for (const share of [0.5, 0.9, 0.95, 0.99, 0.999, 1]) {
    const exact = values[Math.ceil(share * values.length) - 1]!;
    assert.ok(Math.abs(quantile(all, share)! - exact) <= exact * 0.008);
  }
  assert.equal(quantile(new Map(), 0.5), undefined);
});
