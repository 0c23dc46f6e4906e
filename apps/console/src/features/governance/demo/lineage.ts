import type { AuditLog, Lineage, Span, TraceDetail } from '@paddock/contract';

type Stage = Lineage['stages'][number];

/** The lineage of a sample trace, built from its spans and its record. */
export function buildLineage(trace: TraceDetail, record: AuditLog | undefined): Lineage {
  const began = Date.parse(trace.started_at);
  const stage = (name: Stage['stage'], afterMs: number, given: Partial<Stage> & Pick<Stage, 'data_type'>): Stage => ({
    stage: name,
    timestamp: new Date(began + afterMs).toISOString(),
    size_bytes: null,
    name: null,
    duration_ms: null,
    audit_id: null,
    ...given,
  });
  const work = trace.spans.flatMap((span) => {
    const kind = kinds[span.type];
    return kind
      ? [stage(kind[0], span.offset_ms, { data_type: kind[1], name: span.model ?? span.name, duration_ms: span.duration_ms })]
      : [];
  });
  const ended = trace.duration_ms;
  const found = Object.entries(record?.pii?.types ?? {}).map(([type, count]) => `${count} × ${type}`);
  return {
    trace_id: trace.trace_id,
    deployment_id: trace.deployment_id,
    stages: [
      stage('received', 0, { data_type: 'application/json', size_bytes: 640, audit_id: record?.id ?? null }),
      stage('scanned', 1, {
        data_type: 'request',
        size_bytes: 640,
        name: found.length > 0 ? found.join(', ') : 'nothing found',
        duration_ms: 0.4,
      }),
      stage('forwarded', 2, { data_type: 'application/json', size_bytes: 640 }),
      stage('agent', 2, { data_type: 'request', name: trace.name, duration_ms: ended - 4 }),
      ...work,
      stage('answered', ended, { data_type: 'application/json', size_bytes: 1_870 }),
      stage('recorded', ended + 900, { data_type: 'audit record', size_bytes: 2_410 }),
    ],
  };
}

const kinds: Partial<Record<Span['type'], [stage: Stage['stage'], data_type: string]>> = {
  model: ['model', 'prompt and answer'],
  tool: ['tool', 'arguments and result'],
};
