import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeHealth, healthScoreText } from './health.ts';

const measured = { uptime_percentage: 100, error_rate: 0, avg_latency_ms: 0 };

test('the health score is the mean of uptime, success and speed, with its word and what lowered it most', () => {
  assert.deepEqual(computeHealth(measured), { score: 100, word: 'Excellent', lowered_by: null });
  // (100 + 100 + (100 - 90)) / 3
  assert.deepEqual(computeHealth({ ...measured, avg_latency_ms: 900 }), { score: 70, word: 'Fair', lowered_by: 'latency' });
  assert.deepEqual(computeHealth({ ...measured, avg_latency_ms: 60_000 })?.score, 200 / 3, 'speed costs at most its third');
  assert.deepEqual(computeHealth({ ...measured, error_rate: 0.3, avg_latency_ms: 100 }), {
    score: (100 + 70 + 90) / 3,
    word: 'Good',
    lowered_by: 'errors',
  });
  assert.deepEqual(computeHealth({ uptime_percentage: 20, error_rate: 0.5, avg_latency_ms: 400 })?.word, 'Poor');
  assert.equal(computeHealth({ ...measured, uptime_percentage: 70 })?.word, 'Excellent', '90 belongs to the better word');
});

test('what was not measured costs nothing, and without anything there is no score', () => {
  assert.deepEqual(computeHealth({ uptime_percentage: 70, error_rate: null, avg_latency_ms: null }), {
    score: 90,
    word: 'Excellent',
    lowered_by: 'uptime',
  });
  assert.equal(computeHealth({ uptime_percentage: null, error_rate: null, avg_latency_ms: null }), null);
});

test('a score as text never reaches the next word, a bound or a full mark that the score itself has not reached', () => {
  assert.deepEqual(
    [89.8, 89.99, 90 - 1e-12, 90, 74.96, 100, 0].map((score) => healthScoreText(score)),
    ['89', '89', '89', '90', '74', '100', '0'],
  );
  assert.deepEqual(
    [89.98, 90 - 1e-12, 90, 64.1, 99.999].map((score) => healthScoreText(score, 1)),
    ['89.9', '89.9', '90.0', '64.1', '99.9'],
  );
});
