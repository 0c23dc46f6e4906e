import { dollarText, latencyText, shareText } from './figures.ts';
import { pluralWord } from './plural.ts';

/**
 * Rules on the measurements of agents. Each watches the production environment of a project; `threshold` is in the rule's unit. Crash
 * loops, failed deployments and databases have separate alerts that need no configuration.
 */
export const alertRules = {
  error_rate: { label: 'Error rate', unit: 'share', isOn: true, threshold: 0.05, least: 0.001, most: 1 },
  p95_latency: { label: 'Latency, p95', unit: 'ms', isOn: true, threshold: 5_000, least: 1, most: 600_000 },
  health_score: { label: 'Health score', unit: 'points', isOn: true, threshold: 50, least: 1, most: 99 },
  agent_down: { label: 'Agent down', unit: 'minutes', isOn: true, threshold: 2, least: 1, most: 1_440 },
  out_of_memory: { label: 'Out of memory', unit: 'times', isOn: true, threshold: 1, least: 1, most: 100 },
  no_requests: { label: 'No requests', unit: 'minutes', isOn: false, threshold: 60, least: 5, most: 10_080 },
  model_cost: { label: 'Model cost per day', unit: 'usd', isOn: false, threshold: 10, least: 0.01, most: 100_000 },
} as const;
export type AlertRuleName = keyof typeof alertRules;
export const alertRuleNames = Object.keys(alertRules) as [AlertRuleName, ...AlertRuleName[]];

export const alertRuleUnits = ['share', 'ms', 'points', 'minutes', 'times', 'usd'] as const;
export type AlertRuleUnit = (typeof alertRuleUnits)[number];

const withUnit: Record<AlertRuleUnit, (threshold: number) => string> = {
  share: shareText,
  ms: latencyText,
  points: (threshold) => `${threshold} of 100`,
  minutes: (threshold) => `${threshold} ${pluralWord(threshold, 'minute')}`,
  times: (threshold) => (threshold === 1 ? 'once' : `${threshold} times`),
  usd: dollarText,
};

/** A threshold as text: 5 %, 5.00 s, 2 minutes. */
export const thresholdText = (unit: AlertRuleUnit, threshold: number): string => withUnit[unit](threshold);
