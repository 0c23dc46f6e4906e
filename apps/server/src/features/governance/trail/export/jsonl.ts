import type { Facts } from '@paddock/audit';
import type { RecordRow } from '../record-sql.ts';

/** The facts in the format of docs/audit-format.md. */
function toRecordFacts({ payload_hash, ...row }: Facts) {
  return {
    action: row.action,
    action_type: row.action_type,
    actor_id: row.actor_id,
    actor_type: row.actor_type,
    agent_id: row.agent_id,
    agent_name: row.agent_name,
    duration_ms: row.duration_ms,
    id: row.id,
    payload_hash: payload_hash.toString('hex'),
    recorded_at: row.recorded_at,
    request_id: row.request_id,
    seq: row.seq,
    status: row.status,
    target_id: row.target_id,
    target_type: row.target_type,
    team_id: row.team_id,
    timestamp: row.timestamp,
    trace_id: row.trace_id,
    v: 1,
  };
}

export interface Proof {
  checkpoint_seq: number;
  index: number;
  path: string[];
}

/** A record's line; `proof` only in a filtered export. */
export const recordLine = (row: RecordRow, proof?: Proof | null) =>
  JSON.stringify({
    type: 'record',
    ...toRecordFacts(row),
    hash: row.hash.toString('hex'),
    salt: row.salt?.toString('hex') ?? null,
    payload: row.payload === null ? null : (JSON.parse(row.payload) as unknown),
    ...(proof === undefined ? {} : { proof }),
  });
