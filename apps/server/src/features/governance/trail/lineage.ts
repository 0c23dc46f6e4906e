import type { AnswerData, RequestData } from '@paddock/audit';
import type { AuditLog, Lineage } from '@paddock/contract';

type Stage = Lineage['stages'][number];

/** A span of a model or tool call, or of an agent's turn. */
export interface LineageSpan {
  type: string;
  name: string;
  model: string | null;
  started_at: string;
  duration_ms: number;
}

/** The stages of a trace in order of time: those of each exchange with the gateway, and those that its agent recorded. */
export function buildLineage(logs: readonly AuditLog[], spans: readonly LineageSpan[]): Stage[] {
  const stages = [...logs.flatMap((log) => (log.action_type === 'request' ? ofRequest(log) : ofAnswer(log))), ...spans.map(ofSpan)];
  return stages.toSorted((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp) || order.indexOf(a.stage) - order.indexOf(b.stage));
}

const order: Stage['stage'][] = ['received', 'scanned', 'forwarded', 'agent', 'model', 'tool', 'answered', 'recorded'];

function stage(log: AuditLog, what: Pick<Stage, 'stage' | 'timestamp'> & Partial<Stage>): Stage {
  return { data_type: 'unknown', size_bytes: null, name: null, duration_ms: null, audit_id: log.id, ...what };
}

function ofRequest(log: AuditLog): Stage[] {
  const data = (log.input_data ?? {}) as Partial<RequestData>;
  const about = { data_type: typeOf(data.content_type, data.size_bytes), size_bytes: data.size_bytes ?? null };
  return [
    stage(log, { stage: 'received', timestamp: log.timestamp, name: log.action, ...about }),
    ...(data.scanned_at ? [stage(log, { stage: 'scanned', timestamp: data.scanned_at, name: piiSummary(log), ...about })] : []),
    ...(data.forwarded_at
      ? [stage(log, { stage: 'forwarded', timestamp: data.forwarded_at, name: data.was_changed ? 'changed' : null, ...about })]
      : []),
    stage(log, { stage: 'recorded', timestamp: log.recorded_at, name: log.action_type, ...about }),
  ];
}

function ofAnswer(log: AuditLog): Stage[] {
  if (log.action_type !== 'response') return [];
  const data = (log.output_data ?? {}) as Partial<AnswerData>;
  const about = { data_type: typeOf(data.content_type, data.size_bytes), size_bytes: data.size_bytes ?? null };
  return [
    ...(data.scanned_at ? [stage(log, { stage: 'scanned', timestamp: data.scanned_at, name: piiSummary(log), ...about })] : []),
    stage(log, {
      stage: 'answered',
      timestamp: log.timestamp,
      name: data.status ? `Status ${data.status}` : null,
      duration_ms: log.duration_ms,
      ...about,
    }),
    stage(log, { stage: 'recorded', timestamp: log.recorded_at, name: log.action_type, ...about }),
  ];
}

function ofSpan({ type, name, model, started_at, duration_ms }: LineageSpan): Stage {
  const isModel = type === 'model' || type === 'embedding';
  const kind = type === 'tool' ? 'tool' : 'agent';
  return {
    stage: isModel ? 'model' : kind,
    timestamp: started_at,
    data_type: type,
    size_bytes: null,
    name: model ?? name,
    duration_ms,
    audit_id: null,
  };
}

const typeOf = (content_type: string | null | undefined, size: number | undefined): string =>
  size === 0 ? 'none' : (content_type?.split(';')[0] ?? 'unknown');

function piiSummary({ pii }: AuditLog): string | null {
  if (!pii || pii.detected === 0) return 'nothing found';
  return Object.entries(pii.types)
    .map(([type, count]) => `${count} ${type}`)
    .join(', ');
}
