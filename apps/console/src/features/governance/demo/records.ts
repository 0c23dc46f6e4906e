import type { AuditActionType, AuditLog, Deployment } from '@paddock/contract';
import { auditActionTypes } from '@paddock/contract/audit-kinds';
import { iso } from '@paddock/contract/time';
import { sampleId } from '../../../demo/ids.ts';
import { type SampleProjectName, sampleProjectId, sampleProjectNames } from '../../projects/demo/samples.ts';
import { sampleTraces } from '../../traces/demo/samples.ts';

/** Number and spacing of the sample records (spec). */
const count = 100;
const stepMs = 5 * 60_000;
/** Longer than the interval between traced requests of the main agent, and shorter than the interval between records of one agent. */
const traceWithinMs = 2 * stepMs;
const agents = sampleProjectNames;
const person = { type: 'person', id: 'usr_demo', name: 'Demo User' } as const;
const key = { type: 'key', id: sampleId('key', 1), name: 'Deploy from CI' } as const;
const visitor = { type: 'visitor', id: null, name: null } as const;
const platform = { type: 'platform', id: null, name: null } as const;

type Shape = Pick<AuditLog, 'action' | 'actor' | 'input_data' | 'output_data' | 'pii'> &
  Partial<Pick<AuditLog, 'status'>> & { ms: number | null };

type Json = AuditLog['input_data'];

const none = { input_data: null, output_data: null, pii: null } as const;

const asked = (path: string, body: Json) =>
  ({
    method: 'POST',
    path,
    query: null,
    host: 'support-router.demo.example',
    content_type: 'application/json',
    ...recorded(body),
  }) as const;
const answered = (status: number, body: Json) => ({ status, failure: null, content_type: 'application/json', ...recorded(body) }) as const;
const recorded = (body: Json) => ({ size_bytes: JSON.stringify(body).length, body, left_out: null, is_cut: false, was_changed: false });

/** Sample records by type, used in turn. */
const shapes: Record<AuditActionType, readonly Shape[]> = {
  request: [
    {
      action: 'POST /v1/chat/completions',
      actor: visitor,
      ms: 1.8,
      input_data: asked('/v1/chat/completions', {
        messages: [{ role: 'user', content: 'My invoice went to [EMAIL], please call [PHONE].' }],
      }),
      output_data: null,
      pii: { scans: 1, detected: 2, redacted: 2, types: { Email: 1, Phone: 1 } },
    },
    { action: 'GET /health', actor: visitor, ms: 0.6, ...none },
  ],
  response: [
    {
      action: 'POST /v1/chat/completions',
      actor: visitor,
      ms: 1840,
      input_data: null,
      output_data: answered(200, { answer: 'Your ticket is with the billing team.', team: 'billing' }),
      pii: { scans: 1, detected: 0, redacted: 0, types: {} },
    },
    {
      action: 'POST /invocations',
      actor: visitor,
      ms: 6200,
      status: 'warning',
      input_data: null,
      output_data: { ...answered(200, 'Sources: 3. Contact: [NAME], [ADDRESS] …'), size_bytes: 402_118, is_cut: true },
      pii: { scans: 1, detected: 2, redacted: 2, types: { Name: 1, Address: 1 } },
    },
  ],
  deployment: [
    { action: 'deployment.active', actor: platform, ms: null, ...none, output_data: { from: 'deploying', to: 'active' } },
    { action: 'deployment.create', actor: key, ms: 412, ...none, input_data: { environment: 'production', database_mode: 'managed' } },
  ],
  configuration: [
    { action: 'variable.set', actor: person, ms: 21, ...none, input_data: { environment: 'production', keys: ['TICKETS_URL'] } },
    { action: 'alert-rule.update', actor: person, ms: 14, ...none, input_data: { rule: 'error_rate', threshold: 0.1 } },
  ],
  data_access: [
    { action: 'database.read-secret', actor: person, ms: 17, ...none },
    { action: 'log.download', actor: key, ms: 240, status: 'warning', ...none, input_data: { format: 'jsonl' } },
  ],
  error: [
    {
      action: 'POST /v1/chat/completions',
      actor: visitor,
      ms: 30_012,
      status: 'error',
      input_data: asked('/v1/chat/completions', { messages: [{ role: 'user', content: 'Card [CREDIT_CARD] was charged twice.' }] }),
      output_data: { ...answered(502, null), failure: 'The agent closed the connection before it answered.' },
      pii: { scans: 1, detected: 1, redacted: 1, types: { 'Credit Card': 1 } },
    },
    { action: 'session.open', actor: person, ms: 301, status: 'error', ...none, output_data: { status: 401, code: 'login_failed' } },
  ],
};

/** The records of the demo, newest first. Ids are stable, so that addresses can be kept. */
export function sampleRecords(deployments: readonly Deployment[], now: number): AuditLog[] {
  const current = new Map(deployments.filter(({ is_current }) => is_current).map((row) => [`${row.project_name} ${row.environment}`, row]));
  return Array.from({ length: count }, (_, index) => {
    const agent = agents[index % agents.length] as SampleProjectName;
    return buildRecord({ index, at: now - index * stepMs, agent, deployment: current.get(`${agent} production`) });
  });
}

interface Place {
  index: number;
  at: number;
  agent: SampleProjectName;
  deployment: Deployment | undefined;
}

function buildRecord({ index, at, agent, deployment }: Place): AuditLog {
  const action_type = auditActionTypes[index % auditActionTypes.length] as AuditActionType;
  const round = Math.floor(index / auditActionTypes.length);
  const { ms, status = 'success', ...shape } = shapes[action_type][round % shapes[action_type].length] as Shape;
  const isTraffic = shape.actor === visitor && shape.action.includes('/');
  const trace = isTraffic && deployment ? sampleTraces(deployment, at, traceWithinMs)[0] : undefined;
  const number = count - index;
  return {
    id: sampleId('aud', number),
    seq: number,
    timestamp: iso(at),
    agent_id: sampleProjectId(agent),
    agent_name: agent,
    action_type,
    ...shape,
    ...(shape.actor === person ? { user_id: person.id } : {}),
    targets: deployment
      ? [{ type: 'deployment', id: deployment.id, name: `${agent}, ${deployment.environment}` }]
      : [{ type: 'project', id: sampleProjectId(agent), name: agent }],
    duration_ms: ms,
    status,
    trace_id: trace?.trace_id ?? null,
    metadata: {
      ip_address: shape.actor === platform ? null : `203.0.113.${1 + (number % 250)}`,
      user_agent: shape.actor === visitor ? 'python-httpx/0.28.1' : null,
      request_id: `req_${sampleId('x', 1000 + number).slice(-12)}`,
    },
    recorded_at: iso(at + 900),
    is_erased: false,
    hash: sampleHash(number),
  };
}

/** 64 hexadecimal digits; any deterministic mixing will do. */
const sampleHash = (number: number) =>
  Array.from({ length: 4 }, (_, part) =>
    sampleId('x', 9000 + number * 4 + part)
      .replaceAll(/[^0-9a-f]/g, '')
      .slice(-16),
  ).join('');
