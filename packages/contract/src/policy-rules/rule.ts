import type { PiiType } from '@paddock/pii/types';

export const retainedData = ['logs', 'traces', 'audit payloads'] as const;
export type RetainedData = (typeof retainedData)[number];
export const ruledEnvironments = ['production', 'preview'] as const;
export const ruledDatabaseModes = ['managed', 'byo', 'none'] as const;

/** A rule that Paddock acts on while its policy is active. */
export type PolicyRule =
  | { kind: 'retention'; data: RetainedData[]; days: number }
  | { kind: 'key_age'; days: number }
  | { kind: 'failed_logins'; count: number }
  | { kind: 'redact'; types: PiiType[] }
  | { kind: 'environments'; environments: (typeof ruledEnvironments)[number][] }
  | { kind: 'database_modes'; modes: (typeof ruledDatabaseModes)[number][] }
  | { kind: 'two_factor' }
  | { kind: 'idle_sessions'; minutes: number }
  | { kind: 'deployers'; people: string[]; keys: string[] }
  | { kind: 'health_path' }
  | { kind: 'hosts'; which: 'only' | 'never'; hosts: string[] }
  | { kind: 'budget'; usd: number };
export type PolicyRuleKind = PolicyRule['kind'];
export type RuleOfKind<Kind extends PolicyRuleKind> = Extract<PolicyRule, { kind: Kind }>;
