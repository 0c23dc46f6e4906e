import type { AgentMetrics } from '@paddock/contract';
import { latencyText, percentText, shareText } from '@paddock/contract/figures';
import type { HealthFactor } from '@paddock/contract/health';
import { plural } from '@paddock/contract/plural';

type Measured = Pick<AgentMetrics, 'uptime_percentage' | 'error_rate' | 'avg_latency_ms' | 'health_lowered_by'>;

/** A factor of the health score with its value, 0 to 100, and the figure behind it. */
export interface HealthPart {
  factor: HealthFactor;
  label: string;
  /** How the value is computed from the figure. */
  how: string;
  share: number;
}

/** The three parts whose mean is the score (spec, section 9). A missing measurement does not lower it. */
export const healthParts = ({ uptime_percentage, error_rate, avg_latency_ms }: Measured): HealthPart[] => [
  { factor: 'uptime', label: 'Uptime', how: percentText(uptime_percentage), share: uptime_percentage ?? 100 },
  { factor: 'errors', label: 'Success', how: `100 − ${shareText(error_rate)} errors`, share: (1 - (error_rate ?? 0)) * 100 },
  {
    factor: 'latency',
    label: 'Speed',
    how: `100 − ${latencyText(avg_latency_ms)} ÷ 10, at least 0`,
    share: Math.max(0, 100 - (avg_latency_ms ?? 0) / 10),
  },
];

/** 'Lowered most by latency: 842 ms on average costs 28 points'; null while nothing lowers it. */
export function loweredText(measured: Measured): string | null {
  const { health_lowered_by: factor, uptime_percentage, error_rate, avg_latency_ms } = measured;
  const part = healthParts(measured).find((each) => each.factor === factor);
  if (!factor || !part) return null;
  const figures: Record<HealthFactor, string> = {
    uptime: `${percentText(uptime_percentage)} of the time`,
    errors: `${shareText(error_rate)} of the requests failed, which`,
    latency: `${latencyText(avg_latency_ms)} on average`,
  };
  return `Lowered most by ${factor}: ${figures[factor]} costs ${pointsText((100 - part.share) / 3)}`;
}

/** '28 points', '1 point', '0.4 points'. */
function pointsText(points: number): string {
  if (points < 0.05) return 'less than 0.1 points';
  const rounded = points < 9.95 ? Math.round(points * 10) / 10 : Math.round(points);
  return plural(rounded, 'point');
}
