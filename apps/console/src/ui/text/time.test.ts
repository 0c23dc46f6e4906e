import { expect, test } from 'vitest';
import { absoluteTime, clockDuration, relativeTime } from './time.ts';

const now = Date.UTC(2026, 10, 20, 14, 0, 0);
const before = (seconds: number) => relativeTime(now - seconds * 1000, now);

test('a moment is told in its largest whole unit', () => {
  expect([0, 4, 42, 59, 60, 3599, 3600, 86_399, 86_400, 200_000].map(before)).toEqual([
    'just now',
    'just now',
    '42 s ago',
    '59 s ago',
    '1 min ago',
    '59 min ago',
    '1 h ago',
    '23 h ago',
    '1 d ago',
    '2 d ago',
  ]);
});

test('a moment to come is told as such, unless it is only a clock that is ahead', () => {
  expect(before(-42)).toBe('just now');
  expect(before(-7200)).toBe('in 2 h');
});

test('the whole moment names its zone', () => {
  expect(absoluteTime(now + 7000, 'utc')).toBe('20 Nov 2026, 14:00:07 UTC');
});

test('a duration reads like a clock', () => {
  expect([0, 42_400, 68_000, 3_753_000].map(clockDuration)).toEqual(['0:00', '0:42', '1:08', '1:02:33']);
});
