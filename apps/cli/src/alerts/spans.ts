import type { AlertRuleUnit } from '@paddock/contract';
import { usage } from '../failures.ts';

const minutesOf = { m: 1, h: 60, d: 1_440, w: 10_080 } as const;
type MinuteUnit = keyof typeof minutesOf;
const weekMinutes = minutesOf.w;

/** Minutes of a duration such as 8h, or undefined. */
function spanMinutes(typed: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})([mhdw])$/.exec(typed) ?? [];
  return count === undefined ? undefined : Number(count) * minutesOf[unit as MinuteUnit];
}

/** A duration from a minute to a week, or 0. */
export function snoozeMinutes(typed: string): number {
  if (typed === '0') return 0;
  const minutes = spanMinutes(typed);
  if (minutes === undefined || minutes < 1 || minutes > weekMinutes)
    throw usage('An alert is snoozed for a while such as 30m, 8h or 1d, at most 1w; 0 ends the snooze.');
  return minutes;
}

/** Permitted suffixes of a number in each unit, with their factors. */
const suffixes: Record<AlertRuleUnit, Record<string, number>> = {
  share: { '': 1, '%': 0.01 },
  ms: { '': 1, ms: 1, s: 1000 },
  points: { '': 1 },
  minutes: { '': 1, ...minutesOf },
  times: { '': 1 },
  usd: { '': 1 },
};
const forms: Record<AlertRuleUnit, string> = {
  share: '10% or 0.1',
  ms: '2s or 2000',
  points: '50',
  minutes: '30 or 2h',
  times: '3',
  usd: '25 or $25',
};

/** A threshold as people write it, in the unit of its rule. The server knows the bounds. */
export function parseThreshold(unit: AlertRuleUnit, typed: string): number {
  const text = unit === 'usd' ? typed.replace(/^\$/, '') : typed;
  const [, number, suffix = ''] = /^(\d{1,9}(?:\.\d{1,9})?) ?([a-z%]{0,2})$/.exec(text.trim()) ?? [];
  const factor = suffixes[unit][suffix];
  if (number === undefined || factor === undefined) throw usage(`--threshold of this rule is a number such as ${forms[unit]}.`);
  return Number((Number(number) * factor).toPrecision(12));
}
