import type { ChainedRecord } from '@paddock/audit';
import type { Tx } from '../../../../db/connect.ts';

/** Adds records to the trail, in one statement for their facts and one for their payloads. */
export async function appendRecords(tx: Tx, records: readonly ChainedRecord[]): Promise<void> {
  const column = (name: keyof ChainedRecord) => records.map((record) => record[name]) as never[];
  const bytes = (name: 'payload_hash' | 'hash' | 'salt') => records.map((record) => record[name].toString('hex'));
  await tx`
    insert into audit_records (
      team_id, seq, id, timestamp, recorded_at, agent_id, agent_name, action_type, action, status, duration_ms, actor_type, actor_id, target_type,
      target_id, trace_id, request_id, payload_hash, hash)
    select team_id, seq, id, timestamp, recorded_at, agent_id, agent_name, action_type, action, status, duration_ms, actor_type, actor_id, target_type,
      target_id, trace_id, request_id, decode(payload_hash, 'hex'), decode(hash, 'hex')
    from unnest(
      ${column('team_id')}::text[], ${column('seq').map(String)}::bigint[], ${column('id')}::text[], ${column('timestamp')}::timestamptz[],
      ${column('recorded_at')}::timestamptz[], ${column('agent_id')}::text[], ${column('agent_name')}::text[], ${column('action_type')}::text[],
      ${column('action')}::text[], ${column('status')}::text[], ${column('duration_ms')}::float8[], ${column('actor_type')}::text[],
      ${column('actor_id')}::text[], ${column('target_type')}::text[], ${column('target_id')}::text[], ${column('trace_id')}::text[],
      ${column('request_id')}::text[], ${bytes('payload_hash')}::text[], ${bytes('hash')}::text[]
    ) as given (
      team_id, seq, id, timestamp, recorded_at, agent_id, agent_name, action_type, action, status, duration_ms, actor_type, actor_id, target_type,
      target_id, trace_id, request_id, payload_hash, hash)`;
  await tx`
    insert into audit_payloads (team_id, seq, recorded_at, salt, body)
    select team_id, seq, recorded_at, decode(salt, 'hex'), body
    from unnest(
      ${column('team_id')}::text[], ${column('seq').map(String)}::bigint[], ${column('recorded_at')}::timestamptz[], ${bytes('salt')}::text[],
      ${column('payload')}::text[]
    ) as given (team_id, seq, recorded_at, salt, body)`;
}
