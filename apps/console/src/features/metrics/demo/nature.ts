import { hourMs, minuteMs } from '@paddock/contract/time';
import type { DemoEnvironment } from './environments.ts';

/** The behaviour of an agent of the demo. */
export interface Nature {
  /** Requests at the busiest time of a day. */
  perMinute: number;
  latencyMs: number;
  /** Shares of the requests. */
  failed: number;
  refused: number;
  /** CPU usage in percent, idle and at the busiest time. */
  cpu: readonly [idle: number, busy: number];
  memoryMb: readonly [idle: number, busy: number];
  /** The agent runs out of memory once per `everyMs`, `atMs` into the period (UTC), and is down for `awayMs`. */
  crash?: { everyMs: number; atMs: number; awayMs: number };
}

const known: Record<string, Nature> = {
  'support-router production': { perMinute: 46, latencyMs: 182, failed: 0.002, refused: 0.014, cpu: [2, 38], memoryMb: [148, 236] },
  'support-router preview': {
    perMinute: 3.4,
    latencyMs: 268,
    failed: 0.075,
    refused: 0.02,
    cpu: [1, 19],
    memoryMb: [190, 470],
    crash: { everyMs: 6 * hourMs, atMs: 55 * minuteMs, awayMs: 65 * minuteMs },
  },
  'web-scout production': { perMinute: 11, latencyMs: 842, failed: 0.011, refused: 0.006, cpu: [3, 61], memoryMb: [212, 388] },
};

/** An agent that runs in the background and gets no requests. */
const silent: Nature = { perMinute: 0, latencyMs: 0, failed: 0, refused: 0, cpu: [4, 27], memoryMb: [96, 171] };

/** An agent always behaves the same; agents created in the demo differ by their project ids. */
export function pickNature({ project_id, project_name, environment, kind }: DemoEnvironment): Nature {
  if (kind === 'worker' || kind === 'job') return silent;
  const chance = noise(0, seedOf(project_id));
  return (
    known[`${project_name} ${environment}`] ?? {
      perMinute: 4 + 30 * chance,
      latencyMs: 90 + 300 * chance,
      failed: 0.004,
      refused: 0.01,
      cpu: [2, 30],
      memoryMb: [120, 240],
    }
  );
}

/** How busy the moment is, 0 to 1: quiet by night and at weekends, busy in the afternoon (UTC). */
export function busyAt(at: number, seed: number): number {
  const time = new Date(at);
  const ofDay = 0.5 - 0.5 * Math.cos(((time.getUTCHours() + time.getUTCMinutes() / 60 - 3) / 24) * 2 * Math.PI);
  const isWeekend = time.getUTCDay() % 6 === 0;
  return (0.1 + 0.9 * ofDay ** 1.4) * (isWeekend ? 0.5 : 1) * (0.82 + 0.18 * noise(at, seed));
}

/** Between 0 and 1, and always the same for the same moment. */
export function noise(at: number, seed: number): number {
  let mixed = Math.imul(Math.floor(at / 1000) ^ seed, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  return ((mixed ^ (mixed >>> 13)) >>> 8) / 2 ** 24;
}

export const seedOf = (id: string) => Array.from(id).reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), 7);
