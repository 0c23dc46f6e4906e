import type { DemoEnvironment } from './environments.ts';
import { findServedPeriod } from './environments.ts';
import { busyAt, type Nature, noise, pickNature, seedOf } from './nature.ts';

const bytesInPerRequest = 1900;
const bytesOutPerRequest = 8600;

export interface Steps {
  /** The start of the first step. */
  from: number;
  count: number;
  stepMs: number;
  now: number;
}

/** The figures of an agent of the demo in one step. */
export interface DemoStep {
  at: number;
  /** Milliseconds in which the agent should have been up, and in which it was. */
  wantedMs: number;
  upMs: number;
  requests: number;
  failed: number;
  refused: number;
  latencyMs: number;
  /** Factor of the slowest requests' latency, about 1. */
  tail: number;
  bytesIn: number;
  bytesOut: number;
  cpuPercent: number;
  memoryMb: number;
  restarts: number;
}

/** Steps aligned as on the server: multiples of their length since 1970; the last one contains now. */
export function stepsUntil(now: number, count: number, stepMs: number): Steps {
  const to = (Math.floor(now / stepMs) + 1) * stepMs;
  return { from: to - count * stepMs, count, stepMs, now };
}

/** A given time always has the same figures, so that lines advance instead of jumping. */
export function buildSteps(environment: DemoEnvironment, steps: Steps): DemoStep[] {
  const nature = pickNature(environment);
  const seed = seedOf(`${environment.project_id} ${environment.environment}`);
  const served = findServedPeriod(environment, steps.now);
  return Array.from({ length: steps.count }, (_, index) => {
    const at = steps.from + index * steps.stepMs;
    const from = Math.max(at, served?.from ?? Number.POSITIVE_INFINITY);
    const to = Math.min(at + steps.stepMs, steps.now, served?.to ?? Number.NEGATIVE_INFINITY);
    return stepAt({ at, from, to, nature, seed });
  });
}

interface StepInput {
  at: number;
  /** When the agent should have been up within the step; empty unless `to` is after `from`. */
  from: number;
  to: number;
  nature: Nature;
  seed: number;
}

function stepAt({ at, from, to, nature, seed }: StepInput): DemoStep {
  const wantedMs = Math.max(0, to - from);
  const upMs = wantedMs - awayMs(nature, from, to);
  const busy = busyAt(at, seed);
  const requests = Math.round((nature.perMinute * busy * upMs) / 60_000);
  const failed = Math.min(requests, Math.floor(requests * nature.failed * (0.4 + 1.2 * noise(at, seed + 1)) + noise(at, seed + 2)));
  return {
    at,
    wantedMs,
    upMs,
    requests,
    failed: nature.failed > 0 ? failed : 0,
    refused: Math.min(requests - failed, Math.round(requests * nature.refused * 2 * noise(at, seed + 3))),
    latencyMs: nature.latencyMs * (0.78 + 0.3 * busy + 0.12 * noise(at, seed + 4)),
    tail: 0.8 + 0.4 * noise(at, seed + 8),
    bytesIn: Math.round(requests * bytesInPerRequest * (0.9 + 0.2 * noise(at, seed + 5))),
    bytesOut: Math.round(requests * bytesOutPerRequest * (0.9 + 0.2 * noise(at, seed + 6))),
    cpuPercent: between(nature.cpu, busy) * (0.9 + 0.2 * noise(at, seed + 7)),
    memoryMb: between(nature.memoryMb, busy),
    restarts: wantedMs > 0 ? crashes(nature, from, to) : 0,
  };
}

const between = ([idle, busy]: readonly [number, number], share: number) => idle + (busy - idle) * Math.min(1, share);

/** The number of crashes between two times. */
function crashes({ crash }: Nature, from: number, to: number): number {
  if (!crash) return 0;
  const { everyMs, atMs } = crash;
  return Math.max(0, Math.ceil((to - atMs) / everyMs) - Math.ceil((from - atMs) / everyMs));
}

/** Milliseconds between two times in which the agent is down after a crash. */
function awayMs({ crash }: Nature, from: number, to: number): number {
  if (!crash || to <= from) return 0;
  const { everyMs, atMs } = crash;
  let ms = 0;
  for (let start = Math.floor((from - atMs) / everyMs) * everyMs + atMs; start < to; start += everyMs)
    ms += Math.max(0, Math.min(to, start + crash.awayMs) - Math.max(from, start));
  return ms;
}
