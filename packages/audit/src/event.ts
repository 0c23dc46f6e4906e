export const auditActionTypes = ['request', 'response', 'deployment', 'configuration', 'data_access', 'error'] as const;
export type AuditActionType = (typeof auditActionTypes)[number];
export const auditStatuses = ['success', 'warning', 'error'] as const;
export type AuditStatus = (typeof auditStatuses)[number];

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Who acted: a person at the console, an API key, an agent's visitor, the agent itself, or Paddock. */
export interface AuditActor {
  type: 'person' | 'key' | 'visitor' | 'agent' | 'platform';
  /** `usr_…` or `key_…`; null of visitors and of the platform. */
  id: string | null;
  name: string | null;
}

/**
 * What happened, as its writer hands it in. A number, a place in the chain and `recorded_at` are given later, by the sequencer. Nothing in it may hold a
 * value of a detected type, or a secret: the writer redacts.
 */
export interface AuditEvent {
  team_id: string;
  /** `aud_` and a UUIDv7. */
  id: string;
  /** ISO 8601 in UTC with milliseconds. */
  timestamp: string;
  /** The project of the agent; null for what concerns no agent. */
  agent_id: string | null;
  agent_name: string | null;
  action_type: AuditActionType;
  /** `noun.verb` of a change; method and path of a visitor's request, at most 300 characters. */
  action: string;
  status: AuditStatus;
  actor: AuditActor;
  /** The person, where there is one. */
  user_id: string | null;
  /** What it was done to; the first is the one that lists name. At most 20. */
  targets: { type: string; id: string; name: string | null }[];
  /** With at most three decimals; null where nothing was measured. */
  duration_ms: number | null;
  /** 32 hexadecimal digits. */
  trace_id: string | null;
  input_data: Json;
  output_data: Json;
  metadata: { ip_address: string | null; user_agent: string | null; request_id: string | null };
  /** What the detector found in the bodies, and how much of it is not stored as it was; null if nothing was scanned. */
  pii: { scans: number; detected: number; redacted: number; types: Record<string, number> } | null;
}
