import { type MetricsRange, metricsPoints, metricsSeconds } from '@paddock/contract';

/** Steps of equal length, aligned to whole multiples of it since 1970 (UTC); the last one contains now. */
export interface Span {
  from: Date;
  /** The end of the last step; it lies in the future. */
  to: Date;
  step_s: number;
  points: number;
}

export function buildSpan(range: MetricsRange, now: Date): Span {
  const points = metricsPoints[range];
  return spanOfSteps({ points, step_s: metricsSeconds[range] / points }, now);
}

export function spanOfSteps({ points, step_s }: Pick<Span, 'points' | 'step_s'>, now: Date): Span {
  const stepMs = step_s * 1000;
  const to = (Math.floor(now.getTime() / stepMs) + 1) * stepMs;
  return { from: new Date(to - points * stepMs), to: new Date(to), step_s, points };
}

/** The beginnings of all steps. */
export const stepsOf = ({ from, step_s, points }: Span): Date[] =>
  Array.from({ length: points }, (_, step) => new Date(from.getTime() + step * step_s * 1000));
