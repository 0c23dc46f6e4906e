export const auditActionTypes = ['request', 'response', 'deployment', 'configuration', 'data_access', 'error'] as const;
export type AuditActionType = (typeof auditActionTypes)[number];
export const auditStatuses = ['success', 'warning', 'error'] as const;
export type AuditStatus = (typeof auditStatuses)[number];

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The actor: a user at the console, an API key, an agent's visitor, the agent itself, or Paddock. */
export interface AuditActor {
  type: 'person' | 'key' | 'visitor' | 'agent' | 'platform';
  /** `usr_…` or `key_…`; null for visitors and the platform. */
  id: string | null;
  name: string | null;
}

/**
 * An event as its writer submits it. The sequencer later assigns its number, its place in the chain and `recorded_at`. It must not contain
 * a value of a detected type or a secret: the writer redacts.
 */
export interface AuditEvent {
  team_id: string;
  /** `aud_` and a UUIDv7. */
  id: string;
  /** ISO 8601 in UTC with milliseconds. */
  timestamp: string;
  /** The project of the agent; null if the event concerns no agent. */
  agent_id: string | null;
  agent_name: string | null;
  action_type: AuditActionType;
  /** `noun.verb` for a change; method and path for a visitor's request, at most 300 characters. */
  action: string;
  status: AuditStatus;
  actor: AuditActor;
  /** The user, if there is one. */
  user_id: string | null;
  /** The objects of the action, at most 20. Lists name the first. */
  targets: { type: string; id: string; name: string | null }[];
  /** With at most three decimals; null if nothing was measured. */
  duration_ms: number | null;
  /** 32 hexadecimal digits. */
  trace_id: string | null;
  input_data: Json;
  output_data: Json;
  metadata: { ip_address: string | null; user_agent: string | null; request_id: string | null };
  /** The detector's findings in the bodies, and the number of redacted ones; null if nothing was scanned. */
  pii: { scans: number; detected: number; redacted: number; types: Record<string, number> } | null;
}
