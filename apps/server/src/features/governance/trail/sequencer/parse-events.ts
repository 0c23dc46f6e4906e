import { inflateRawSync } from 'node:zlib';
import { type AuditEvent, type AuditStatus, auditActionTypes, auditStatuses, type Json } from '@paddock/audit';

/** A row of `audit_intake`: one event, or many of a gateway. */
export interface IntakeRow {
  number: number;
  event: unknown;
  events: Buffer | null;
}

/** Maximum size of a batch; gateways send at most a megabyte. */
const maxBatchBytes = 16 * 1024 ** 2;
const maxTextLength = 200;
const maxAction = 300;

/** The events of a row, in order. Throws if a batch cannot be read. */
export function parseEvents({ event, events }: IntakeRow): AuditEvent[] {
  if (events === null) return [normalizeEvent(event)];
  const text = inflateRawSync(events, { maxOutputLength: maxBatchBytes }).toString('utf8');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [normalizeEvent(JSON.parse(line))]));
}

/** No submitted data may stop the chain: invalid values become null, and long ones are truncated. */
function normalizeEvent(value: unknown): AuditEvent {
  const given = asRecord(value);
  const actor = asRecord(given.actor);
  const metadata = asRecord(given.metadata);
  const targets = Array.isArray(given.targets) ? given.targets.slice(0, 20).map(asRecord) : [];
  const duration = Number(given.duration_ms ?? Number.NaN);
  return {
    team_id: limitText(given.team_id) ?? 'unknown',
    id: limitText(given.id) ?? 'aud_unknown',
    timestamp: time(given.timestamp),
    agent_id: limitText(given.agent_id),
    agent_name: limitText(given.agent_name),
    action_type: auditActionTypes.find((type) => type === given.action_type) ?? 'error',
    action: limitText(given.action, maxAction) ?? 'unknown',
    status: auditStatuses.find((status): status is AuditStatus => status === given.status) ?? 'error',
    actor: {
      type: (['person', 'key', 'visitor', 'agent', 'platform'] as const).find((type) => type === actor.type) ?? 'platform',
      id: limitText(actor.id),
      name: limitText(actor.name),
    },
    user_id: limitText(given.user_id),
    targets: targets.map(({ type, id, name }) => ({
      type: limitText(type) ?? 'unknown',
      id: limitText(id) ?? 'unknown',
      name: limitText(name),
    })),
    duration_ms: Number.isFinite(duration) && duration >= 0 ? Math.round(duration * 1000) / 1000 : null,
    trace_id: limitText(given.trace_id),
    input_data: limitDepth(given.input_data),
    output_data: limitDepth(given.output_data),
    metadata: {
      ip_address: limitText(metadata.ip_address),
      user_agent: limitText(metadata.user_agent, maxAction),
      request_id: limitText(metadata.request_id),
    },
    pii: given.pii ? piiOf(asRecord(given.pii)) : null,
  };
}

/** More deeply nested values are left out: some readers of an export could not parse them. */
const maxDepth = 200;
function limitDepth(value: unknown): Json {
  const isShallow = (inner: unknown, left: number): boolean =>
    inner === null || typeof inner !== 'object' || (left > 0 && Object.values(inner).every((each) => isShallow(each, left - 1)));
  return isShallow(value, maxDepth) ? ((value ?? null) as Json) : null;
}

function piiOf({ scans, detected, redacted, types }: Record<string, unknown>): AuditEvent['pii'] {
  const counts = Object.entries(asRecord(types)).map(([type, count]): [string, number] => [type, whole(count)]);
  return { scans: whole(scans), detected: whole(detected), redacted: whole(redacted), types: Object.fromEntries(counts) };
}

/** Times of a wrong clock are ignored. */
const years = { first: Date.UTC(2000), last: Date.UTC(2200) };
function time(value: unknown): string {
  const at = Date.parse(String(value));
  return new Date(at > years.first && at < years.last ? at : Date.now()).toISOString();
}

const whole = (value: unknown): number => (Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : 0);

const asRecord = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};

/** PostgreSQL's text cannot contain NUL. */
function limitText(value: unknown, most = maxTextLength): string | null {
  if (typeof value !== 'string' || value === '') return null;
  return value.toWellFormed().replaceAll('\0', '').slice(0, most).toWellFormed();
}
