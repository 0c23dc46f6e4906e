import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newestDate } from './newest-date.ts';

test('dates of the future and those that packers write for lack of another do not count', () => {
  const now = Date.parse('2026-05-05');
  const of = (...days: string[]) =>
    newestDate(
      days.map((day) => ({ modified: Date.parse(day) })),
      now,
    );
  assert.equal(of('1980-01-01', '2023-04-05', '2022-01-01', '2107-12-31'), '2023-04-05');
  assert.equal(of('1980-01-01', '2040-01-01'), null);
});
