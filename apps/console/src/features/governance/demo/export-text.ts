import type { AuditLog } from '@paddock/contract';
import { csvRow } from '@paddock/contract/csv';

const columns = [
  'seq',
  'timestamp',
  'agent_name',
  'action_type',
  'action',
  'status',
  'duration_ms',
  'user_id',
  'trace_id',
  'hash',
] as const;

/** The records as a file in the demo; the server's formats contain more. */
export function exportText(logs: readonly AuditLog[], format: 'json' | 'jsonl' | 'csv' | 'ocsf'): string {
  if (format === 'json') return `${JSON.stringify({ logs }, null, 2)}\n`;
  if (format === 'jsonl') return logs.map((log) => `${JSON.stringify(log)}\n`).join('');
  if (format === 'csv') return [columns, ...logs.map((log) => columns.map((name) => log[name]))].map(csvRow).join('');
  return logs.map((log) => `${JSON.stringify(asEvent(log))}\n`).join('');
}

const asEvent = ({ id, timestamp, action, status, actor, metadata }: AuditLog) => ({
  class_uid: 6003,
  category_uid: 6,
  time: Date.parse(timestamp),
  status: status === 'error' ? 'Failure' : 'Success',
  api: { operation: action },
  actor: { user: { uid: actor.id, name: actor.name } },
  src_endpoint: { ip: metadata.ip_address },
  metadata: { uid: id, version: '1.6.0', product: { name: 'Paddock' } },
});
