import { expect, test } from 'vitest';
import { filled } from './filled.ts';

test('values that are undefined or an empty text are left out, and no others', () => {
  expect(filled({ a: undefined, b: '', c: 'x', d: 0, e: false, f: null })).toEqual({ c: 'x', d: 0, e: false, f: null });
  expect(Object.keys(filled({ a: undefined, b: 1 }))).toEqual(['b']);
});
