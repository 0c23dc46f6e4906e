import type { AuditEvent, Json } from '@paddock/audit';
import type { AuditLog } from '@paddock/contract';
import type { RecordRow } from './record-sql.ts';

/** The fields of a payload, as named in docs/audit-format.md. */
interface Payload {
  actor_name: string | null;
  input_data: Json;
  output_data: Json;
  metadata: { ip_address: string | null; user_agent: string | null };
  pii: AuditEvent['pii'];
  targets: AuditEvent['targets'];
  user_id: string | null;
}

export const readPayload = (row: Pick<RecordRow, 'payload'>): Payload | undefined =>
  row.payload === null ? undefined : (JSON.parse(row.payload) as Payload);

/** The fields that an erasure leaves in records of configuration and data access. */
type Remainder = Pick<Payload, 'actor_name' | 'user_id' | 'targets' | 'input_data' | 'output_data'>;

/** A record in the API's form. If its payload was removed: its facts, and what the erasure left. */
export function toAuditLog(row: RecordRow): AuditLog {
  const payload = readPayload(row);
  const said = payload ?? (row.remainder === null ? undefined : (JSON.parse(row.remainder) as Remainder));
  const target = row.target_type !== null && row.target_id !== null ? [{ type: row.target_type, id: row.target_id, name: null }] : [];
  return {
    id: row.id,
    seq: row.seq,
    timestamp: row.timestamp,
    agent_id: row.agent_id,
    agent_name: row.agent_name,
    action_type: row.action_type as AuditLog['action_type'],
    action: row.action,
    ...(said?.user_id ? { user_id: said.user_id } : {}),
    actor: { type: row.actor_type as AuditLog['actor']['type'], id: row.actor_id, name: said?.actor_name ?? null },
    targets: said?.targets ?? target,
    input_data: said?.input_data ?? null,
    output_data: said?.output_data ?? null,
    duration_ms: row.duration_ms,
    status: row.status as AuditLog['status'],
    trace_id: row.trace_id,
    metadata: { ...(payload?.metadata ?? { ip_address: null, user_agent: null }), request_id: row.request_id },
    pii: payload?.pii ?? null,
    recorded_at: row.recorded_at,
    is_erased: payload === undefined,
    hash: row.hash.toString('hex'),
  };
}
