import { alertRuleNames, alertRules } from '@paddock/contract/alert-rules';
import { expect, test } from 'vitest';
import { boundsText, defaultText, readThreshold, writtenThreshold } from './words.ts';

test('a share is written and read in percent, and comes back as it was', () => {
  const rule = { rule: 'error_rate', unit: 'share' } as const;
  expect([0.001, 0.05, 0.07, 0.29, 1].map((share) => writtenThreshold('share', share))).toEqual(['0.1', '5', '7', '29', '100']);
  expect(['0.1', '5', '7', ' 29 ', '100'].map((text) => readThreshold(rule, text))).toEqual([0.001, 0.05, 0.07, 0.29, 1]);
});

test('what is no number within the bounds is answered with the bounds', () => {
  const rule = { rule: 'error_rate', unit: 'share' } as const;
  for (const text of ['', '0', '0.05', '100.1', '5,5', '-5', '1e1', 'five', '5 %'])
    expect(readThreshold(rule, text), text).toBe('Enter a number from 0.1 to 100.');
  expect(boundsText({ rule: 'p95_latency', unit: 'ms' })).toBe('from 1 to 600,000');
});

test('each rule takes its own default and both of its bounds', () => {
  for (const rule of alertRuleNames) {
    const { unit, threshold, least, most } = alertRules[rule];
    for (const value of [threshold, least, most]) expect(readThreshold({ rule, unit }, writtenThreshold(unit, value))).toBe(value);
  }
  expect(defaultText('no_requests')).toBe('off, 60 minutes');
});
