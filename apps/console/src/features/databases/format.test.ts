import { expect, test } from 'vitest';
import { bytesText } from '../../ui/text/bytes.ts';
import { countText, shareText, usedText } from './format.ts';

test('sizes have one decimal at most and never read 1024 of a unit', () => {
  expect([0, 840, 1023, 1024, 1536, 13_002_342, 5 * 1024 ** 3, 1024 ** 2 - 1].map((bytes) => bytesText(bytes))).toEqual([
    '0 B',
    '840 B',
    '1023 B',
    '1 KB',
    '1.5 KB',
    '12.4 MB',
    '5 GB',
    '1 MB',
  ]);
});

test('what is used is told in the units of its limit: plans count in 1000s, settings in 1024s', () => {
  expect(usedText(4_200_000_000, 5_000_000_000)).toBe('4.2 GB of 5 GB (84 %)');
  expect(usedText(64 * 1024 ** 2, 256 * 1024 ** 2)).toBe('64 MB of 256 MB (25 %)');
  expect(usedText(4_999_999_999, 5_000_000_000)).toBe('5 GB of 5 GB (99 %)');
});

test('counts are abbreviated with K and M', () => {
  expect([0, 0.25, 7, 950, 999.6, 1000, 12_400, 999_960, 3_000_000].map(countText)).toEqual([
    '0',
    '0.3',
    '7',
    '950',
    '1K',
    '1K',
    '12.4K',
    '1M',
    '3M',
  ]);
  expect(shareText(0.9844)).toBe('98.4 %');
});
