import { type PiiAction, type PiiType, piiTypes } from '@paddock/pii/types';

export { type PiiAction, type PiiType, piiActions, piiTypes } from '@paddock/pii/types';

/** Which bodies the audit trail keeps, redacted: of all exchanges, of some, or of none. */
export const bodyRecordings = ['redacted', 'sampled', 'none'] as const;
/** What a visitor gets when a request could not be recorded: 503, or the answer, with the gap itself on record. */
export const unrecordedModes = ['refuse', 'serve'] as const;
/** What becomes of a body that is too large or takes too long to scan, where traffic is changed: 403, or it passes as it is. */
export const overrunModes = ['refuse', 'pass'] as const;
/** Whose traffic is changed beside what is stored: what the agent receives, what the caller gets, or both. */
export const piiTraffic = ['none', 'requests', 'answers', 'both'] as const;

export interface PiiRule {
  action: PiiAction;
  traffic: (typeof piiTraffic)[number];
}

/** What a project wants done with the data that passes its agents. */
export interface DataProtectionSettings {
  bodies: (typeof bodyRecordings)[number];
  /** Share of exchanges whose bodies are kept with `sampled`, in percent. */
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

/** Types whose values may not be stored as they are. */
export const storedRedacted = ({ rules }: Pick<DataProtectionSettings, 'rules'>): PiiType[] =>
  piiTypes.filter((type) => rules[type].action !== 'allow');

/** The settings as they count where a policy of the team wants these types redacted: what they allow is masked. */
export function withRedacted<S extends Pick<DataProtectionSettings, 'rules'>>(settings: S, types: readonly string[]): S {
  const allowed = piiTypes.filter((type) => types.includes(type) && settings.rules[type].action === 'allow');
  if (allowed.length === 0) return settings;
  const masked = Object.fromEntries(allowed.map((type) => [type, { ...settings.rules[type], action: 'mask' as const }]));
  return { ...settings, rules: { ...settings.rules, ...masked } };
}
