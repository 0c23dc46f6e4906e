import type { AuditEvent, Json } from '@paddock/audit';
import type { AuditLog } from '@paddock/contract';
import type { RecordRow } from './record-sql.ts';

/** What a payload holds, as docs/audit-format.md names it. */
interface Payload {
  actor_name: string | null;
  input_data: Json;
  output_data: Json;
  metadata: { ip_address: string | null; user_agent: string | null };
  pii: AuditEvent['pii'];
  targets: AuditEvent['targets'];
  user_id: string | null;
}

export const payloadOf = (row: Pick<RecordRow, 'payload'>): Payload | undefined =>
  row.payload === null ? undefined : (JSON.parse(row.payload) as Payload);

/** A record as the API gives it. Of one whose payload was removed, its facts. */
export function show(row: RecordRow): AuditLog {
  const payload = payloadOf(row);
  const target = row.target_type !== null && row.target_id !== null ? [{ type: row.target_type, id: row.target_id, name: null }] : [];
  return {
    id: row.id,
    seq: row.seq,
    timestamp: row.timestamp,
    agent_id: row.agent_id,
    agent_name: row.agent_name,
    action_type: row.action_type as AuditLog['action_type'],
    action: row.action,
    ...(payload?.user_id ? { user_id: payload.user_id } : {}),
    actor: { type: row.actor_type as AuditLog['actor']['type'], id: row.actor_id, name: payload?.actor_name ?? null },
    targets: payload?.targets ?? target,
    input_data: payload?.input_data ?? null,
    output_data: payload?.output_data ?? null,
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
