import type { ChainedRecord } from '@paddock/audit';
import { arrayLiteral } from '../../../../db/array-literal.ts';
import type { Tx } from '../../../../db/connect.ts';

/** Adds records to the trail, in one statement for their facts and one for their payloads. */
export async function appendRecords(tx: Tx, records: readonly ChainedRecord[]): Promise<void> {
  const texts = (of: (record: ChainedRecord) => string | null) => arrayLiteral(records.map(of));
  const numbers = (of: (record: ChainedRecord) => number | null) => `{${records.map((record) => of(record) ?? 'null').join()}}`;
  const bytes = (of: (record: ChainedRecord) => Buffer) => records.map((record) => of(record).toString('hex')).join();
  const team_ids = texts(({ team_id }) => team_id);
  const seqs = numbers(({ seq }) => seq);
  const recorded_ats = texts(({ recorded_at }) => recorded_at);
  await tx`
    insert into audit_records (
      team_id, seq, id, timestamp, recorded_at, agent_id, agent_name, action_type, action, status, duration_ms, actor_type, actor_id, target_type,
      target_id, trace_id, request_id, payload_hash, hash)
    select team_id, seq, id, timestamp, recorded_at, agent_id, agent_name, action_type, action, status, duration_ms, actor_type, actor_id, target_type,
      target_id, trace_id, request_id, decode(payload_hash, 'hex'), decode(hash, 'hex')
    from unnest(
      ${team_ids}::text[], ${seqs}::bigint[], ${texts(({ id }) => id)}::text[], ${texts(({ timestamp }) => timestamp)}::timestamptz[],
      ${recorded_ats}::timestamptz[], ${texts(({ agent_id }) => agent_id)}::text[], ${texts(({ agent_name }) => agent_name)}::text[],
      ${texts(({ action_type }) => action_type)}::text[], ${texts(({ action }) => action)}::text[], ${texts(({ status }) => status)}::text[],
      ${numbers(({ duration_ms }) => duration_ms)}::float8[], ${texts(({ actor_type }) => actor_type)}::text[],
      ${texts(({ actor_id }) => actor_id)}::text[], ${texts(({ target_type }) => target_type)}::text[],
      ${texts(({ target_id }) => target_id)}::text[], ${texts(({ trace_id }) => trace_id)}::text[], ${texts(({ request_id }) => request_id)}::text[],
      string_to_array(${bytes(({ payload_hash }) => payload_hash)}, ','), string_to_array(${bytes(({ hash }) => hash)}, ',')
    ) as given (
      team_id, seq, id, timestamp, recorded_at, agent_id, agent_name, action_type, action, status, duration_ms, actor_type, actor_id, target_type,
      target_id, trace_id, request_id, payload_hash, hash)`;
  // Canonical JSON has no line feed outside of escapes.
  const payloads = records.map(({ payload }) => payload).join('\n');
  await tx`
    insert into audit_payloads (team_id, seq, recorded_at, salt, body)
    select team_id, seq, recorded_at, decode(salt, 'hex'), body
    from unnest(
      ${team_ids}::text[], ${seqs}::bigint[], ${recorded_ats}::timestamptz[], string_to_array(${bytes(({ salt }) => salt)}, ','),
      string_to_array(${payloads}, ${'\n'})
    ) as given (team_id, seq, recorded_at, salt, body)`;
}
