import { type DataProtectionSettings, defaultDataProtection, type PiiRule, piiTraffic } from '@paddock/contract/data-protection';
import { piiActions, piiTypes } from '@paddock/pii/types';

/** A project's settings, from their stored form. Missing or unreadable values have their defaults. */
export function settingsFrom(stored: unknown): DataProtectionSettings {
  const { rules, redact_logs, keep_span_content, ...others } = defaultDataProtection;
  const given = objectOf(stored);
  const givenRules = objectOf(given.rules);
  return {
    ...others,
    rules: Object.fromEntries(
      piiTypes.map((type) => [type, isRule(givenRules[type]) ? givenRules[type] : rules[type]]),
    ) as DataProtectionSettings['rules'],
    redact_logs: typeof given.redact_logs === 'boolean' ? given.redact_logs : redact_logs,
    keep_span_content: typeof given.keep_span_content === 'boolean' ? given.keep_span_content : keep_span_content,
  };
}

function isRule(value: unknown): value is PiiRule {
  const { action, traffic } = objectOf(value);
  return piiActions.some((one) => one === action) && piiTraffic.some((one) => one === traffic);
}

const objectOf = (value: unknown) => (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
