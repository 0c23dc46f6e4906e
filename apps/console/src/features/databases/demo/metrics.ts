import type { Database, DatabasePoint, MetricsRange } from '@paddock/contract';
import { metricsPoints, metricsSeconds } from '@paddock/contract/limits';
import { dayMs, hourMs } from '@paddock/contract/time';

/** A series of the demo. A given time always has the same figures, so that the lines advance instead of jumping. */
export function sampleMetrics(database: Database, time_range: MetricsRange, now = Date.now()) {
  const count = metricsPoints[time_range];
  const step_s = metricsSeconds[time_range] / count;
  const last = Math.floor(now / 1000 / step_s) * step_s * 1000;
  const points = Array.from({ length: count }, (_, index) =>
    pointAt(database, { at: last - (count - 1 - index) * step_s * 1000, step_s, now }),
  );
  return { time_range, step_s, points };
}

const nothing = {
  size_bytes: null,
  memory_bytes: null,
  connections: null,
  transactions: null,
  cache_hit_ratio: null,
  keys: null,
  evictions: null,
};

function pointAt(database: Database, { at, step_s, now }: { at: number; step_s: number; now: number }): DatabasePoint {
  const point = { at: new Date(at).toISOString(), ...nothing };
  if (!isMeasured(database, at, now)) return point;
  const size = (database.size_bytes ?? 20 * 1024 ** 2) * Math.max(0.2, 1 - ((now - at) / dayMs) * 0.012);
  // Busy by day, quiet by night, with some variation.
  const busy = 0.55 + 0.35 * wave(at, dayMs, seed(database.id)) + 0.1 * wave(at, 47 * 60_000, 1);
  const rate = database.type === 'redis' ? 46 : 11;
  const common = {
    connections: Math.round(2 + 9 * busy),
    transactions: Math.round(rate * busy * step_s),
    cache_hit_ratio: Math.min(1, 0.965 + 0.03 * wave(at, 5 * hourMs, 3)),
  };
  if (database.type === 'postgresql')
    return { ...point, ...common, size_bytes: Math.round(size), memory_bytes: Math.round((38 + 30 * busy) * 1024 ** 2) };
  return {
    ...point,
    ...common,
    size_bytes: Math.round(size * (0.8 + 0.2 * busy)),
    memory_bytes: Math.round(size * (0.85 + 0.2 * busy) + 9 * 1024 ** 2),
    keys: Math.round(41_000 * (0.7 + 0.3 * busy)),
    evictions: 0,
  };
}

/** Whether a point has a value: since its creation, while it runs, except for one hour without measurements, as after a power cut. */
function isMeasured({ status, created_at }: Database, at: number, now: number): boolean {
  if (at < Date.parse(created_at)) return false;
  if ((status === 'stopped' || status === 'failed' || status === 'provisioning') && at > now - 2 * dayMs) return false;
  const back = now - at;
  return back < 8.5 * hourMs || back > 9.5 * hourMs;
}

/** Between -1 and 1. */
const wave = (at: number, period: number, shift: number) => Math.sin((at / period) * 2 * Math.PI + shift);
const seed = (id: string) => Number.parseInt(id.slice(-2), 16) || 0;
