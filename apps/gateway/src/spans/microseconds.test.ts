import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatIso, microsecondClock } from './microseconds.ts';

const day = 1_767_225_600_000;

test('moments within one millisecond are told apart and keep their order', () => {
  const clock = microsecondClock(day);
  assert.deepEqual([clock(day + 5, 5.125), clock(day + 5, 5.25), clock(day + 6, 6.5)].map(formatIso), [
    '2026-01-01T00:00:00.005125Z',
    '2026-01-01T00:00:00.005250Z',
    '2026-01-01T00:00:00.006500Z',
  ]);
});

test('a moment never lies outside the millisecond that the date tells, wherever the other clock has drifted', () => {
  const clock = microsecondClock(day - 3_600_000);
  for (const [date, monotonic] of [
    [day, 10.5],
    [day + 1, 11.2],
    [day - 50_000, 12.1],
    [day + 90_000_000, 13],
  ] as const) {
    const us = clock(date, monotonic);
    assert.equal(Math.floor(us / 1_000), date);
  }
});

test('a clock that was wrong at first is right within the millisecond soon', () => {
  const clock = microsecondClock(day - 1_000_000);
  // The true time runs 0.4 ms ahead of the other clock.
  const told = Array.from({ length: 50 }, (_, n) => ({
    us: clock(Math.floor(day + n * 1.3 + 0.4), n * 1.3),
    true: (day + n * 1.3 + 0.4) * 1_000,
  }));
  for (const { us, true: expected } of told.slice(20)) assert.ok(Math.abs(us - expected) < 150, `${us - expected} µs away`);
});
