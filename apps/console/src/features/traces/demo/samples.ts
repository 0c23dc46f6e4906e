import type { Deployment, LogLine } from '@paddock/contract';
import { traceLimits } from '@paddock/contract/limits';
import { dayMs, minuteMs } from '@paddock/contract/time';
import { type Shape, shapesOf } from './shapes.ts';
import type { Drawn } from './spans.ts';

const keptMs = traceLimits.keptDays * dayMs;

/** Interval between traced requests, by project and environment; ended deployments use the longer `everyMsOfEnded`. */
const everyMs: Readonly<Record<string, number>> = {
  'support-router production': 4 * minuteMs,
  'support-router preview': 15 * minuteMs,
  'web-scout production': 30 * minuteMs,
};
const everyMsOfEnded = 45 * minuteMs;

type Told = Drawn & Pick<Shape, 'line'>;
type Of = Pick<Deployment, 'id' | 'project_name' | 'environment' | 'deployed_at' | 'ended_at'>;

/**
 * The traces of a deployment that began within this time before `now`, newest first. A given time always has the same trace, so that
 * addresses can be kept.
 */
export function sampleTraces({ id, project_name, environment, deployed_at, ended_at }: Of, now: number, withinMs = keptMs): Told[] {
  const name = `${project_name} ${environment}`;
  const shapes = shapesOf[name];
  if (!shapes || deployed_at === null) return [];
  const step = ended_at === null ? (everyMs[name] ?? everyMsOfEnded) : everyMsOfEnded;
  const from = Math.max(Date.parse(deployed_at), now - withinMs);
  const to = ended_at === null ? now : Date.parse(ended_at);
  const traces: Told[] = [];
  for (let slot = Math.floor(to / step); slot * step > from; slot -= 1) {
    const shape = shapes[slot % shapes.length];
    const at = slot * step + Math.floor(mixed(slot, id.length) % (step / 2));
    if (!shape || at > to - 10_000) continue;
    const pace = 0.75 + (mixed(slot, 3) % 1000) / 1800;
    traces.push({
      trace_id: traceId(id, slot),
      deployment_id: id,
      at,
      root: shape.root,
      pace,
      ...(shape.line ? { line: shape.line } : {}),
    });
  }
  return traces;
}

/** Log lines that the agent wrote about its traces. */
export const traceLines = (of: Of, now: number): { at: number; draft: Pick<LogLine, 'level' | 'source' | 'message'> }[] =>
  sampleTraces(of, now).flatMap(({ trace_id, at, root, pace, line }) =>
    line
      ? [
          {
            at: at + root.ms * pace,
            draft: { source: 'agent', level: line.level, message: `${line.message} trace_id=${trace_id}` } as const,
          },
        ]
      : [],
  );

/** 32 hexadecimal digits, determined by the deployment and the time. */
function traceId(id: string, slot: number): string {
  const seed = Array.from(id).reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), 7);
  return [1, 2, 3, 4]
    .map((part) =>
      mixed(slot + part * 7919, seed)
        .toString(16)
        .padStart(8, '0'),
    )
    .join('');
}

// Any deterministic mixing will do.
function mixed(number: number, seed: number): number {
  const first = Math.imul(number ^ seed, 0x9e3779b1);
  const second = Math.imul(first ^ (first >>> 15), 0x85ebca6b);
  return (second ^ (second >>> 13)) >>> 0;
}
