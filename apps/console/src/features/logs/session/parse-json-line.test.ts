import { expect, test } from 'vitest';
import { parseJsonLine } from './parse-json-line.ts';

test('a line that is one JSON object or list is unfolded, with one field in each line', () => {
  expect(parseJsonLine('{"level":"info","tokens":3}')).toBe('{\n  "level": "info",\n  "tokens": 3\n}');
  expect(parseJsonLine(' [1] ')).toBe('[\n  1\n]');
});

test('other lines, broken JSON, empty objects and very long lines are left as they are', () => {
  for (const line of ['hello', '{not json}', '{}', '[]', '7', '"text"', '{"a":1} and more', `{"a":"${'x'.repeat(20_000)}"}`])
    expect(parseJsonLine(line)).toBeUndefined();
});
