import type { Client } from '@paddock/client';
import type { AuditLog, GovernanceSummary } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import type { contract } from '@paddock/contract/routes';
import { hourMs } from '@paddock/contract/time';
import { answer, paginate } from '../../../demo/answering.ts';
import { exportText } from './export-text.ts';

type Calls = Client<typeof contract>['governance'];
type Filter = Omit<Parameters<Calls['auditLogs']>[0] & object, 'limit' | 'cursor'>;

const checkpointSeq = 96;
/** Records that one call of a verification checks. */
const perCall = 60;
const keyId = '9f2c41d07be3a865';
export const retentionDays = 90;

/** The audit trail of the demo, to which nothing is added. */
export function demoTrail(records: readonly AuditLog[], now: number) {
  let verified: GovernanceSummary['chain']['verified'] = {
    valid: true,
    up_to_seq: checkpointSeq,
    verified_at: new Date(now - 2 * hourMs).toISOString(),
    first_bad: null,
  };
  const found = (filter: Filter) => records.filter((record) => passes(record, filter));
  return {
    summary: (_input, options) =>
      answer(
        () => ({
          total_actions: records.length,
          agents: [...new Map(records.map(({ agent_id, agent_name }) => [agent_id ?? '', agent_name ?? ''])).entries()]
            .map(([agent_id, agent_name]) => ({ agent_id, agent_name }))
            .sort((a, b) => a.agent_name.localeCompare(b.agent_name)),
          chain: {
            head_seq: records.length,
            checkpoint_seq: checkpointSeq,
            checkpoint_at: new Date(now - 4 * 60_000).toISOString(),
            key_id: keyId,
            public_key: 'demo-key-without-a-private-part',
            verified,
          },
          retention: { retention_days: retentionDays, last_run_at: new Date(now - 7 * hourMs).toISOString(), last_deleted: 1_240 },
        }),
        options,
      ),
    auditLogs: ({ limit, cursor, ...filter } = {}, options) =>
      answer(() => {
        const all = found(filter);
        const { rows, next_cursor } = paginate(all, { limit, cursor });
        return { logs: rows, next_cursor, match_count: cursor === undefined ? all.length : null };
      }, options),
    auditLog: ({ id }, options) =>
      answer(() => {
        const record = records.find((each) => each.id === id);
        if (!record) throw new ApiError('audit_log_not_found');
        return record;
      }, options),
    exportAuditLogs: ({ format = 'json', ...filter } = {}, options) => answer(() => exportText(found(filter), format), options),
    verifyAuditLogs: ({ from_seq = 1 } = {}, options) =>
      answer(() => {
        const up_to_seq = Math.min(records.length, from_seq + perCall - 1);
        verified = { valid: true, up_to_seq, verified_at: new Date().toISOString(), first_bad: null };
        return {
          valid: true,
          checked: up_to_seq - from_seq + 1,
          first_bad: null,
          up_to_seq,
          head_seq: records.length,
          checkpoint_seq: checkpointSeq,
          next_seq: up_to_seq < records.length ? up_to_seq + 1 : null,
        };
      }, options),
  } satisfies Partial<Calls>;
}

function passes(record: AuditLog, { agent, action_type, status, date_from, date_to, search, trace_id, user }: Filter): boolean {
  return (
    (agent === undefined || record.agent_id === agent) &&
    (action_type === undefined || record.action_type === action_type) &&
    (status === undefined || record.status === status) &&
    (date_from === undefined || record.timestamp >= date_from) &&
    (date_to === undefined || record.timestamp <= date_to) &&
    (trace_id === undefined || record.trace_id === trace_id) &&
    (user === undefined || record.user_id === user || record.actor.id === user) &&
    (search === undefined || record.action.toLowerCase().includes(search.toLowerCase()) || record.metadata.request_id === search)
  );
}
