import { type PiiAction, type PiiType, piiTypes } from '@paddock/pii/types';

export { type PiiAction, type PiiType, piiActions, piiTypes } from '@paddock/pii/types';

/** The bodies that the audit trail keeps, redacted: of all exchanges, of a sample, or of none. */
export const bodyRecordings = ['redacted', 'sampled', 'none'] as const;
/** The response if a request could not be recorded: 503 (`refuse`), or the agent's response with the gap on record (`serve`). */
export const unrecordedModes = ['refuse', 'serve'] as const;
/** The handling of a body that is too large or takes too long to scan, if traffic is changed: 403, or it passes unchanged. */
export const overrunModes = ['refuse', 'pass'] as const;
/** The traffic that is changed, besides stored data: requests to the agent, its answers, or both. */
export const piiTraffic = ['none', 'requests', 'answers', 'both'] as const;

export interface PiiRule {
  action: PiiAction;
  traffic: (typeof piiTraffic)[number];
}

/** A project's settings for the data that passes through its agents. */
export interface DataProtectionSettings {
  bodies: (typeof bodyRecordings)[number];
  /** Percentage of exchanges whose bodies are kept with `sampled`. */
  sample_percent: number;
  when_unrecorded: (typeof unrecordedModes)[number];
  on_overrun: (typeof overrunModes)[number];
  rules: Record<PiiType, PiiRule>;
  /** Whether lines of the log are redacted before they are stored. */
  redact_logs: boolean;
  /** Whether prompts and completions of spans are stored, redacted; otherwise they are dropped. */
  keep_span_content: boolean;
}

export const defaultDataProtection: DataProtectionSettings = {
  bodies: 'redacted',
  sample_percent: 10,
  when_unrecorded: 'refuse',
  on_overrun: 'refuse',
  rules: Object.fromEntries(piiTypes.map((type) => [type, { action: 'mask', traffic: 'none' }])) as Record<PiiType, PiiRule>,
  redact_logs: false,
  keep_span_content: false,
};

/** Types whose values may not be stored unredacted. */
export const storedRedacted = ({ rules }: Pick<DataProtectionSettings, 'rules'>): PiiType[] =>
  piiTypes.filter((type) => rules[type].action !== 'allow');

/** The effective settings if a policy of the team requires these types to be redacted: types that the settings allow are masked. */
export function withRedacted<S extends Pick<DataProtectionSettings, 'rules'>>(settings: S, types: readonly string[]): S {
  const allowed = piiTypes.filter((type) => types.includes(type) && settings.rules[type].action === 'allow');
  if (allowed.length === 0) return settings;
  const masked = Object.fromEntries(allowed.map((type) => [type, { ...settings.rules[type], action: 'mask' as const }]));
  return { ...settings, rules: { ...settings.rules, ...masked } };
}
