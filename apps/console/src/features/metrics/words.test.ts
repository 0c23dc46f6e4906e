import { expect, test } from 'vitest';
import { errorTone } from './charts.ts';
import { metricsSearch } from './search.ts';
import { runningWords, stepTime, stepWords } from './words.ts';

test('steps and running times are told in the units that matter', () => {
  expect([60, 1800, 3600].map(stepWords)).toEqual(['minute', '30 minutes', 'hour']);
  expect([59, 720, 94_320, 720 * 3600].map(runningWords)).toEqual(['0 min', '12 min', '26 h 12 min', '720 h']);
});

test('a point of more than an hour names its day', () => {
  const at = Date.UTC(2026, 10, 20, 14, 2);
  expect(stepTime(at, '1h', 'utc')).toBe('14:02');
  expect(stepTime(at, '24h', 'utc')).toBe('20 Nov, 14:02');
});

test('bars of the error rate are red above 0.05, else yellow', () => {
  expect([0.001, 0.05, 0.051, 1].map(errorTone)).toEqual(['warn', 'warn', 'bad', 'bad']);
});

test('the address keeps the agent and every range but the usual one', () => {
  expect(metricsSearch({ deployment: 'dep_1', range: '7d' })).toEqual({ deployment: 'dep_1', range: '7d' });
  expect(metricsSearch({ deployment: 'prj_1', range: '24h', project: 'prj_1' })).toEqual({});
});
