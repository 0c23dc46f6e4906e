import type { DemoStep } from './steps.ts';

export interface Totals {
  requests: number;
  failed: number;
  refused: number;
  bytesIn: number;
  bytesOut: number;
  restarts: number;
  wantedMs: number;
  upMs: number;
  avgLatencyMs: number | null;
  errorRate: number | null;
  uptimePercent: number | null;
}

const sums = ['requests', 'failed', 'refused', 'bytesIn', 'bytesOut', 'restarts', 'wantedMs', 'upMs'] as const;

/** The totals of all steps; averages are weighted by requests. */
export function sumSteps(steps: readonly DemoStep[]): Totals {
  const total = { requests: 0, failed: 0, refused: 0, bytesIn: 0, bytesOut: 0, restarts: 0, wantedMs: 0, upMs: 0 };
  for (const step of steps) for (const name of sums) total[name] += step[name];
  const latencyMs = steps.reduce((sum, step) => sum + step.latencyMs * step.requests, 0);
  const { requests, failed, wantedMs, upMs } = total;
  return {
    ...total,
    avgLatencyMs: requests > 0 ? latencyMs / requests : null,
    errorRate: requests > 0 ? failed / requests : null,
    uptimePercent: wantedMs > 0 ? (upMs / wantedMs) * 100 : null,
  };
}

/** Latency percentiles of an agent that is mostly fast and sometimes slow. `tail` is the factor of the slow ones, about 1. */
export const percentiles = (averageMs: number | null, tail = 1) => ({
  p50: averageMs === null ? null : averageMs * 0.81,
  p95: averageMs === null ? null : averageMs * 2.15 * tail,
  p99: averageMs === null ? null : averageMs * 3.6 * tail,
});
