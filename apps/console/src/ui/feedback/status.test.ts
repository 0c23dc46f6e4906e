import { expect, test } from 'vitest';
import { notches, statusLook } from './status.ts';

test('a status nobody knows is shown as it came, in the plain look', () => {
  expect(statusLook('hibernating')).toEqual({ tone: 'neutral', glyph: 'bar', word: 'hibernating' });
  expect(statusLook('constructor').word).toBe('constructor');
});

test('the rail fills up to the stage in work', () => {
  expect(notches('queued')).toEqual(['working', 'empty', 'empty', 'empty']);
  expect(notches('deploying')).toEqual(['full', 'full', 'working', 'empty']);
  expect(notches('active')).toEqual(['full', 'full', 'full', 'full']);
  expect(notches('stopped')).toEqual(['empty', 'empty', 'empty', 'empty']);
});

test('a failure is crossed at the stage where it happened', () => {
  expect(notches('failed', 'building')).toEqual(['full', 'failed', 'empty', 'empty']);
});
