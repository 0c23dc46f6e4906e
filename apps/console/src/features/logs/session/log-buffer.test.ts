import type { LogLine } from '@paddock/contract';
import { expect, test } from 'vitest';
import { findMatchRanges, indexOfNumber, stepMatch } from '../log-search.ts';
import { createLogBuffer } from './log-buffer.ts';

const line = (number: number, level: LogLine['level'] = 'info'): LogLine => ({
  id: `log_${number}`,
  number,
  level,
  source: 'agent',
  message: `line ${number}`,
  created_at: '2026-11-20T12:00:00.000Z',
});
const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => line(from + index));
const numbers = (buffer: ReturnType<typeof createLogBuffer>) => buffer.lines.map((held) => held.line.number);

test('a line that comes twice is held once', () => {
  const buffer = createLogBuffer();
  buffer.append(lines(1, 3));
  expect(buffer.append(lines(2, 5))).toBe(2);
  expect(numbers(buffer)).toEqual([1, 2, 3, 4, 5]);
});

test('the buffer never holds more than its capacity and lets the oldest go', () => {
  const buffer = createLogBuffer(100);
  for (let at = 1; at <= 1000; at += 10) buffer.append(lines(at, at + 9));
  expect(buffer.lines).toHaveLength(100);
  expect([buffer.first(), buffer.last()]).toEqual([901, 1000]);
});

test('older lines fill the room that is left, the nearest first', () => {
  const buffer = createLogBuffer(10);
  buffer.append(lines(96, 100));
  expect(buffer.prepend(lines(81, 95))).toBe(5);
  expect(numbers(buffer)).toEqual([91, 92, 93, 94, 95, 96, 97, 98, 99, 100]);
  expect(buffer.prepend(lines(81, 90))).toBe(0);
});

test('lines that did not come are counted where they are missing', () => {
  const buffer = createLogBuffer();
  buffer.append(lines(5, 6));
  buffer.append(lines(10, 10));
  expect(buffer.lines.map(({ missing }) => missing)).toEqual([0, 0, 3]);
});

test('held lines keep their identity when others come, so that rows need not be drawn again', () => {
  const buffer = createLogBuffer();
  buffer.append(lines(1, 2));
  const [first] = buffer.lines;
  buffer.append(lines(3, 4));
  expect(buffer.lines[0]).toBe(first);
});

test('matches are gone through round in both directions, and marked in any case', () => {
  const buffer = createLogBuffer();
  buffer.append(lines(1, 12));
  expect(stepMatch([1, 10], 10, 1)).toBe(1);
  expect(stepMatch([1, 10], 1, -1)).toBe(10);
  expect(stepMatch([], 1, 1)).toBeNull();
  expect(findMatchRanges('aXaXa', 'xa')).toEqual([
    [1, 3],
    [3, 5],
  ]);
  expect(indexOfNumber(buffer.lines, 5)).toBe(4);
});
