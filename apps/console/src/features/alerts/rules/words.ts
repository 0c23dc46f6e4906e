import type { AlertRule, AlertRuleName, AlertRuleUnit } from '@paddock/contract';
import { alertRules, thresholdText } from '@paddock/contract/alert-rules';

/** When a rule opens an alert, and the label of its threshold. */
export const ruleWords = {
  error_rate: { when: 'Opens when more than this share of requests fails within five minutes.', threshold: 'More than, in %' },
  p95_latency: { when: 'Opens when 1 in 20 requests within five minutes takes longer than this.', threshold: 'Longer than, in ms' },
  health_score: { when: 'Opens when the health score of the last 15 minutes is below this.', threshold: 'Fewer points than' },
  agent_down: { when: 'Opens when the agent is unavailable for this long.', threshold: 'Minutes unavailable' },
  out_of_memory: { when: 'Opens when the agent runs out of memory this many times within ten minutes.', threshold: 'Times' },
  no_requests: {
    when: 'Opens when the agent is available for this long but receives no requests.',
    threshold: 'Minutes without requests',
  },
  model_cost: {
    when: 'Opens when the model calls of one day (UTC) cost more than this. Closes when the day ends.',
    threshold: 'More than, in US dollars',
  },
} as const satisfies Record<AlertRuleName, { when: string; threshold: string }>;

/** Factor from the number that a person types to the stored threshold. */
const scales = { share: 0.01, ms: 1, points: 1, minutes: 1, times: 1, usd: 1 } as const satisfies Record<AlertRuleUnit, number>;

/** A threshold as a person types it: 5 for a share of 0.05. */
export const writtenThreshold = (unit: AlertRuleUnit, threshold: number): string =>
  String(Number((threshold / scales[unit]).toPrecision(12)));

/** Parses a typed threshold; returns an error message if it is invalid. */
export function readThreshold({ rule, unit }: Pick<AlertRule, 'rule' | 'unit'>, text: string): number | string {
  const { least, most } = alertRules[rule];
  const number = /^\d{1,9}(\.\d{1,9})?$/.test(text.trim()) ? Number(text) : Number.NaN;
  const threshold = Number((number * scales[unit]).toPrecision(12));
  return threshold >= least && threshold <= most ? threshold : `Enter a number ${boundsText({ rule, unit })}.`;
}

export function boundsText({ rule, unit }: Pick<AlertRule, 'rule' | 'unit'>): string {
  const { least, most } = alertRules[rule];
  const grouped = (threshold: number) => Number(writtenThreshold(unit, threshold)).toLocaleString('en');
  return `from ${grouped(least)} to ${grouped(most)}`;
}

export function defaultText(rule: AlertRuleName): string {
  const { isOn, threshold, unit } = alertRules[rule];
  return `${isOn ? 'on' : 'off'}, ${thresholdText(unit, threshold)}`;
}

export const messages = {
  load: 'The alert rules could not be loaded. They are still checked.',
  projects: 'The list of projects could not be loaded.',
  change: 'The rule could not be changed. The old one still applies.',
} as const;
