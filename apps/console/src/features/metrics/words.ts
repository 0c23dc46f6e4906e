import type { AgentSummary, MetricsRange } from '@paddock/contract';
import type { Zone } from '../../ui/preferences/zone.ts';
import { absoluteClock } from '../../ui/text/time.ts';

export const rangeWords = { '1h': '1 hour', '24h': '24 hours', '7d': '7 days', '30d': '30 days' } as const satisfies Record<
  MetricsRange,
  string
>;

/** 'support-router, production': no two active agents have the same name. */
export const agentName = ({ agent_name, environment }: Pick<AgentSummary, 'agent_name' | 'environment'>) => `${agent_name}, ${environment}`;

/** '14:02' within an hour, '20 Nov, 14:02' beyond. */
export function stepTime(at: number, range: MetricsRange, zone: Zone): string {
  const clock = absoluteClock(at, zone);
  if (range === '1h') return clock;
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', ...(zone === 'utc' ? { timeZone: 'UTC' } : {}) });
  return `${day.format(at)}, ${clock}`;
}

/** The length of a step: 'minute', '30 minutes', 'hour'. */
export function stepWords(seconds: number): string {
  if (seconds === 60) return 'minute';
  return seconds === 3600 ? 'hour' : `${Math.round(seconds / 60)} minutes`;
}

/** '26 h 12 min', '12 min'. */
export function runningWords(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours >= 100) return `${hours.toLocaleString('en')} h`;
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}
