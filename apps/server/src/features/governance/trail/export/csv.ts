import type { AuditLog } from '@paddock/contract';
import { csvRow } from '@paddock/contract/csv';

const columns: Record<string, (log: AuditLog) => string | number | null> = {
  timestamp: ({ timestamp }) => timestamp,
  seq: ({ seq }) => seq,
  id: ({ id }) => id,
  agent_id: ({ agent_id }) => agent_id,
  agent_name: ({ agent_name }) => agent_name,
  action_type: ({ action_type }) => action_type,
  action: ({ action }) => action,
  status: ({ status }) => status,
  user_id: ({ user_id }) => user_id ?? null,
  actor_type: ({ actor }) => actor.type,
  actor_id: ({ actor }) => actor.id,
  duration_ms: ({ duration_ms }) => duration_ms,
  trace_id: ({ trace_id }) => trace_id,
  request_id: ({ metadata }) => metadata.request_id,
  ip_address: ({ metadata }) => metadata.ip_address,
  user_agent: ({ metadata }) => metadata.user_agent,
  targets: ({ targets }) => targets.map(({ type, id }) => `${type} ${id}`).join('; '),
  input_data: ({ input_data }) => (input_data === null ? null : JSON.stringify(input_data)),
  output_data: ({ output_data }) => (output_data === null ? null : JSON.stringify(output_data)),
  hash: ({ hash }) => hash,
};

export const csvHeader = csvRow(Object.keys(columns));
export const csvLine = (log: AuditLog): string => csvRow(Object.values(columns).map((of) => of(log)));
