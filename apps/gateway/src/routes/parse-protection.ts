import {
  bodyRecordings,
  type DataProtectionSettings,
  defaultDataProtection,
  overrunModes,
  type PiiRule,
  piiTraffic,
  unrecordedModes,
} from '@paddock/contract/data-protection';
import { type PiiType, piiActions, piiTypes } from '@paddock/pii/types';

/** Parses a project's settings. Missing or invalid ones have their defaults: no database row may stop the reading of routes. */
export function parseProtection(stored: unknown): DataProtectionSettings {
  if (!isRecord(stored)) return defaultDataProtection;
  const defaults = defaultDataProtection;
  return {
    bodies: oneOf(bodyRecordings, stored.bodies, defaults.bodies),
    sample_percent: isPercent(stored.sample_percent) ? stored.sample_percent : defaults.sample_percent,
    when_unrecorded: oneOf(unrecordedModes, stored.when_unrecorded, defaults.when_unrecorded),
    on_overrun: oneOf(overrunModes, stored.on_overrun, defaults.on_overrun),
    rules: Object.fromEntries(piiTypes.map((type) => [type, parseRule(stored.rules, type)])) as Record<PiiType, PiiRule>,
    redact_logs: stored.redact_logs === true,
    keep_span_content: stored.keep_span_content === true,
  };
}

function parseRule(rules: unknown, type: PiiType): PiiRule {
  const rule = isRecord(rules) ? rules[type] : undefined;
  const defaults = defaultDataProtection.rules[type];
  if (!isRecord(rule)) return defaults;
  return { action: oneOf(piiActions, rule.action, defaults.action), traffic: oneOf(piiTraffic, rule.traffic, defaults.traffic) };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

const isPercent = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 100;

const oneOf = <T extends string>(values: readonly T[], value: unknown, otherwise: T): T => values.find((one) => one === value) ?? otherwise;
