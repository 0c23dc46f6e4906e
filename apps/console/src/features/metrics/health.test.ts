import { computeHealth } from '@paddock/contract/health';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { healthParts, loweredText } from './health.ts';

const healthy = { uptime_percentage: 100, error_rate: 0, avg_latency_ms: 0, health_lowered_by: null };

test('what lowered the score most is told with its figure and what it costs', () => {
  expect(loweredText({ ...healthy, avg_latency_ms: 842, health_lowered_by: 'latency' })).toBe(
    'Lowered most by latency: 842 ms on average costs 28 points',
  );
  expect(loweredText({ ...healthy, error_rate: 0.03, health_lowered_by: 'errors' })).toBe(
    'Lowered most by errors: 3 % of the requests failed, which costs 1 point',
  );
  expect(loweredText({ ...healthy, uptime_percentage: 99.98, health_lowered_by: 'uptime' })).toBe(
    'Lowered most by uptime: 99.98 % of the time costs less than 0.1 points',
  );
  expect(loweredText(healthy)).toBeNull();
});

test('the parts that are shown make the score that the server tells', () => {
  const measured = fc.record({
    uptime_percentage: fc.option(fc.double({ min: 0, max: 100, noNaN: true })),
    error_rate: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    avg_latency_ms: fc.option(fc.double({ min: 0, max: 5000, noNaN: true })),
  });
  fc.assert(
    fc.property(measured, (given) => {
      const health = computeHealth(given);
      const parts = healthParts({ ...given, health_lowered_by: health?.lowered_by ?? null });
      const mean = parts.reduce((sum, { share }) => sum + share, 0) / parts.length;
      if (health) expect(mean).toBeCloseTo(health.score, 6);
    }),
  );
});
