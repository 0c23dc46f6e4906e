import { inflateRawSync } from 'node:zlib';
import { type AuditEvent, auditActionTypes, auditStatuses, type Json } from '@paddock/audit';

/** A row of `audit_intake`: one event, or many of a gateway. */
export interface IntakeRow {
  number: number;
  event: unknown;
  events: Buffer | null;
}

export interface ParsedEvents {
  /** In the order of the row. */
  events: AuditEvent[];
  /** How many events had a field that could not be read, by field. */
  damaged: Map<keyof AuditEvent, number>;
  /** The lines that are no JSON, from 1; none of them is an event. */
  broken_lines: number[];
}

/** Maximum size of a batch; gateways send at most a megabyte. */
const maxBatchBytes = 16 * 1024 ** 2;
const maxTextLength = 200;
const maxAction = 300;
const maxTargets = 20;

/** The events of a row. Throws if a batch cannot be unpacked. */
export function parseEvents({ event, events }: IntakeRow): ParsedEvents {
  const parsed: ParsedEvents = { events: [], damaged: new Map(), broken_lines: [] };
  if (events === null) {
    parsed.events.push(readEvent(event, parsed));
    return parsed;
  }
  const text = inflateRawSync(events, { maxOutputLength: maxBatchBytes }).toString('utf8');
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '') continue;
    const value = parseLine(line);
    if (value === undefined) parsed.broken_lines.push(index + 1);
    else parsed.events.push(readEvent(value, parsed));
  }
  return parsed;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // counted by the caller
  }
}

/** Undefined: the value cannot be read. */
type Read<T> = (value: unknown) => T | undefined;

/** How each field is read, and what it becomes if it cannot be: no submitted data may stop the chain. Long values are cut. */
const FIELDS: { [Name in keyof AuditEvent]: { read: Read<AuditEvent[Name]>; otherwise: () => AuditEvent[Name] } } = {
  team_id: { read: text, otherwise: () => 'unknown' },
  id: { read: text, otherwise: () => 'aud_unknown' },
  timestamp: { read: time, otherwise: () => new Date().toISOString() },
  agent_id: { read: orNull(text), otherwise: () => null },
  agent_name: { read: orNull(text), otherwise: () => null },
  action_type: { read: (value) => auditActionTypes.find((type) => type === value), otherwise: () => 'error' },
  action: { read: (value) => text(value, maxAction), otherwise: () => 'unknown' },
  status: { read: (value) => auditStatuses.find((status) => status === value), otherwise: () => 'error' },
  actor: { read: actor, otherwise: () => ({ type: 'platform', id: null, name: null }) },
  user_id: { read: orNull(text), otherwise: () => null },
  targets: { read: targets, otherwise: () => [] },
  duration_ms: { read: orNull(duration), otherwise: () => null },
  trace_id: { read: orNull(text), otherwise: () => null },
  input_data: { read: data, otherwise: () => null },
  output_data: { read: data, otherwise: () => null },
  metadata: { read: metadata, otherwise: () => ({ ip_address: null, user_agent: null, request_id: null }) },
  pii: { read: orNull(pii), otherwise: () => null },
};

const FIELD_NAMES = Object.keys(FIELDS) as (keyof AuditEvent)[];

function readEvent(value: unknown, { damaged }: Pick<ParsedEvents, 'damaged'>): AuditEvent {
  const given = asObject(value) ?? {};
  const event: Partial<Record<keyof AuditEvent, unknown>> = {};
  for (const name of FIELD_NAMES) {
    const found = FIELDS[name].read(given[name]);
    if (found === undefined) damaged.set(name, (damaged.get(name) ?? 0) + 1);
    event[name] = found === undefined ? FIELDS[name].otherwise() : found;
  }
  return event as AuditEvent;
}

/** PostgreSQL's text cannot contain NUL. */
function text(value: unknown, most = maxTextLength): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  const isClean = value.length <= most && value.isWellFormed() && !value.includes('\0');
  return isClean ? value : value.toWellFormed().replaceAll('\0', '').slice(0, most).toWellFormed();
}

/** Absent and empty values are null. */
function orNull<T>(read: Read<T>): Read<T | null> {
  return (value) => (value === null || value === undefined || value === '' ? null : read(value));
}

function actor(value: unknown): AuditEvent['actor'] | undefined {
  const given = asObject(value);
  const type = (['person', 'key', 'visitor', 'agent', 'platform'] as const).find((one) => one === given?.type);
  return given && type && { type, id: text(given.id) ?? null, name: text(given.name) ?? null };
}

function targets(value: unknown): AuditEvent['targets'] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.slice(0, maxTargets).map((one) => {
    const given = asObject(one);
    return { type: text(given?.type) ?? 'unknown', id: text(given?.id) ?? 'unknown', name: text(given?.name) ?? null };
  });
}

function metadata(value: unknown): AuditEvent['metadata'] | undefined {
  const given = asObject(value);
  if (!given) return undefined;
  return {
    ip_address: text(given.ip_address) ?? null,
    user_agent: text(given.user_agent, maxAction) ?? null,
    request_id: text(given.request_id) ?? null,
  };
}

function duration(value: unknown): number | undefined {
  const ms = Number(value);
  return Number.isFinite(ms) && ms >= 0 ? Math.round(ms * 1000) / 1000 : undefined;
}

/** More deeply nested values are left out: some readers of an export could not parse them. */
const maxDepth = 200;
function data(value: unknown): Json | undefined {
  const isShallow = (inner: unknown, left: number): boolean =>
    inner === null || typeof inner !== 'object' || (left > 0 && Object.values(inner).every((each) => isShallow(each, left - 1)));
  return isShallow(value, maxDepth) ? ((value ?? null) as Json) : undefined;
}

function pii(value: unknown): AuditEvent['pii'] | undefined {
  const given = asObject(value);
  if (!given) return undefined;
  const counts = Object.entries(asObject(given.types) ?? {}).map(([type, count]): [string, number] => [type, whole(count)]);
  return { scans: whole(given.scans), detected: whole(given.detected), redacted: whole(given.redacted), types: Object.fromEntries(counts) };
}

/** Times of a wrong clock are ignored. */
const years = { first: Date.UTC(2000), last: Date.UTC(2200) };
function time(value: unknown): string | undefined {
  const at = Date.parse(String(value));
  return at > years.first && at < years.last ? new Date(at).toISOString() : undefined;
}

const whole = (value: unknown): number => (Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : 0);

const asObject = (value: unknown): Record<string, unknown> | undefined =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
