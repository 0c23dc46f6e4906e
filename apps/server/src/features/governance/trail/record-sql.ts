import type { Facts } from '@paddock/audit';
import type { Sql } from '../../../db/connect.ts';

/** A record as it is read: its facts, its hash, and its payload unless that was removed. */
export interface RecordRow extends Facts {
  hash: Buffer;
  salt: Buffer | null;
  payload: string | null;
  /** Fields of the payload that an erasure left, as JSON. */
  remainder: string | null;
}

export const recordColumns = (sql: Sql) => sql`
  r.team_id, r.seq, r.id, r.timestamp, r.recorded_at, r.agent_id, r.agent_name, r.action_type, r.action, r.status, r.duration_ms, r.actor_type, r.actor_id,
  r.target_type, r.target_id, r.trace_id, r.request_id, r.payload_hash, r.hash, p.salt, p.body as payload, m.body as remainder`;

/** Expects the records as `r`. */
export const withPayload = (sql: Sql) => sql`
  left join audit_payloads p on p.team_id = r.team_id and p.seq = r.seq and p.recorded_at = r.recorded_at
  left join audit_remainders m on p.seq is null and m.team_id = r.team_id and m.seq = r.seq`;
