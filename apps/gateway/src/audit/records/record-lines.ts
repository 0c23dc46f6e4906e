import type { AnswerData, AuditActionType, AuditEvent, AuditStatus, RequestData } from '@paddock/audit';
import type { DataProtectionSettings } from '@paddock/contract/data-protection';
import { type Counts, totals } from '../../protection/redactor.ts';
import type { Exchange } from '../../taps/tap.ts';
import { isoTime, recordId } from './ids.ts';
import type { Recorded } from './recorded-body.ts';
import type { RequestLines } from './redact-request.ts';

const maxUserAgent = 300;
const text = JSON.stringify;

/** `"name":` for each field of a type. The lines are made of these instead of objects, for speed; the compiler refuses a misspelt field. */
const keysOf = <T>(names: Record<keyof T & string, true>): Record<keyof T & string, string> =>
  Object.fromEntries(Object.keys(names).map((name) => [name, `"${name}":`])) as Record<keyof T & string, string>;

const EVENT = keysOf<AuditEvent>({
  team_id: true,
  id: true,
  timestamp: true,
  agent_id: true,
  agent_name: true,
  action_type: true,
  action: true,
  status: true,
  actor: true,
  user_id: true,
  targets: true,
  duration_ms: true,
  trace_id: true,
  input_data: true,
  output_data: true,
  metadata: true,
  pii: true,
});
const BODY = {
  size_bytes: true,
  content_type: true,
  body: true,
  left_out: true,
  is_cut: true,
  was_changed: true,
  deployment_id: true,
  scanned_at: true,
} as const;
const REQUEST = keysOf<RequestData>({ ...BODY, method: true, path: true, query: true, host: true, forwarded_at: true });
const ANSWER = keysOf<AnswerData>({ ...BODY, status: true, failure: true, first_byte_at: true });
const METADATA = keysOf<AuditEvent['metadata']>({ ip_address: true, user_agent: true, request_id: true });
const PII = keysOf<NonNullable<AuditEvent['pii']>>({ scans: true, detected: true, redacted: true, types: true });
const NOTHING_FOUND = { detected: 0, redacted: 0 };

/** The fields that are the same in all records of a route. */
export interface Owner {
  team_id: string;
  project_id: string;
  project_name: string;
  deployment_id: string | null;
  protection: DataProtectionSettings;
}

/** A recorded body with its size, type and scan. */
export interface PassedBody extends Recorded {
  sizeBytes: number;
  contentType: string;
  wasChanged: boolean;
  /** Milliseconds since 1970; 0 if it was not scanned. */
  scannedAt: number;
}

export interface RequestRecord {
  lines: RequestLines;
  userAgent: string | null;
  body: PassedBody;
  forwardedAt: number;
}

export interface AnswerRecord {
  action: string;
  userAgent: string | null;
  body: PassedBody;
  /** The response, or the part that the visitor received, is incomplete. */
  isBroken: boolean;
}

/** Serialises the events of a route's exchanges as lines of JSON. */
export function recordLines({ team_id, project_id, project_name, deployment_id, protection }: Owner) {
  const actor = text({ type: 'visitor', id: null, name: null } satisfies AuditEvent['actor']);
  const target = text([{ type: 'deployment', id: deployment_id, name: null }]);
  const begin =
    `{${EVENT.team_id}${text(team_id)},${EVENT.agent_id}${text(project_id)},${EVENT.agent_name}${text(project_name)}` +
    `,${EVENT.actor}${actor},${EVENT.user_id}null,${EVENT.targets}${target}`;
  const deployment = text(deployment_id);
  return { request, answer };

  function request(exchange: Exchange, { lines, userAgent, body, forwardedAt }: RequestRecord): string {
    const head = formatHead(exchange, { type: 'request', at: exchange.beganAtMs, action: lines.action });
    const query = lines.query === null ? 'null' : text(lines.query);
    const input =
      `{${REQUEST.method}${text(exchange.method)},${REQUEST.path}${text(lines.path)},${REQUEST.query}${query}` +
      `,${REQUEST.host}${text(exchange.host)},${REQUEST.deployment_id}${deployment},${formatBody(body)}` +
      `,${REQUEST.scanned_at}${time(body.scannedAt)},${REQUEST.forwarded_at}${time(forwardedAt)}}`;
    const data = `${EVENT.input_data}${input},${EVENT.output_data}null`;
    return `${head},${EVENT.status}"success",${EVENT.duration_ms}null,${data}${tail(exchange, { userAgent, body })}`;
  }

  function answer(exchange: Exchange, { action, userAgent, body, isBroken }: AnswerRecord): string {
    const head = formatHead(exchange, { type: 'response', at: Date.now(), action });
    const hasLeft = exchange.answeredAt === 0 && exchange.failure === '';
    const firstByteAt = exchange.answeredAt === 0 ? 0 : exchange.beganAtMs + exchange.answeredAt - exchange.startedAt;
    const failure = exchange.failure === '' ? 'null' : text(exchange.failure);
    const output =
      `{${ANSWER.status}${hasLeft ? 0 : exchange.status},${ANSWER.failure}${failure},${ANSWER.deployment_id}${deployment}` +
      `,${formatBody(body)},${ANSWER.first_byte_at}${time(firstByteAt)},${ANSWER.scanned_at}${time(body.scannedAt)}}`;
    const status = resolveStatus(exchange, hasLeft || isBroken);
    const duration = Math.round(exchange.latencyUs) / 1_000;
    const data = `${EVENT.input_data}null,${EVENT.output_data}${output}`;
    return `${head},${EVENT.status}"${status}",${EVENT.duration_ms}${duration},${data}${tail(exchange, { userAgent, body })}`;
  }

  function formatHead({ traceparent }: Exchange, { type, at, action }: { type: AuditActionType; at: number; action: string }): string {
    const made = `${EVENT.id}"${recordId(at)}",${EVENT.timestamp}"${isoTime(at)}"`;
    return `${begin},${made},${EVENT.action_type}"${type}",${EVENT.action}${text(action)},${EVENT.trace_id}"${traceparent.slice(3, 35)}"`;
  }

  function tail({ client, requestId }: Exchange, { userAgent, body }: { userAgent: string | null; body: PassedBody }): string {
    const agent = userAgent === null ? 'null' : text(userAgent);
    const metadata = `{${METADATA.ip_address}${text(client.address)},${METADATA.user_agent}${agent},${METADATA.request_id}${text(requestId)}}`;
    return `,${EVENT.metadata}${metadata},${EVENT.pii}${body.isScanned ? formatPii(body.found) : 'null'}}`;
  }

  function formatPii(found: Counts | undefined): string {
    const { detected, redacted } = found === undefined ? NOTHING_FOUND : totals(found, protection);
    return `{${PII.scans}1,${PII.detected}${detected},${PII.redacted}${redacted},${PII.types}${found === undefined ? '{}' : text(found)}}`;
  }
}

/** The event for an agent whose requests were served unrecorded while the spool had no room. */
export function gapLine(
  { team_id, project_id, project_name }: Owner,
  gap: { requests: number; responses: number; from: number; to: number },
): string {
  return text({
    team_id,
    id: recordId(gap.to),
    timestamp: isoTime(gap.to),
    agent_id: project_id,
    agent_name: project_name,
    action_type: 'error',
    action: 'audit.gap',
    status: 'warning',
    actor: { type: 'platform', id: null, name: null },
    user_id: null,
    targets: [],
    duration_ms: null,
    trace_id: null,
    input_data: { requests: gap.requests, responses: gap.responses, from: isoTime(gap.from), to: isoTime(gap.to) },
    output_data: null,
    metadata: { ip_address: null, user_agent: null, request_id: null },
    pii: null,
  } satisfies AuditEvent);
}

export const cutUserAgent = (given: string): string => given.slice(0, maxUserAgent).toWellFormed();

function formatBody({ sizeBytes, contentType, json, leftOut, isCut, wasChanged }: PassedBody): string {
  const type = contentType === '' ? 'null' : text(contentType);
  const why = leftOut === null ? 'null' : `"${leftOut}"`;
  const size = `${REQUEST.size_bytes}${sizeBytes},${REQUEST.content_type}${type}`;
  return `${size},${REQUEST.body}${json},${REQUEST.left_out}${why},${REQUEST.is_cut}${isCut},${REQUEST.was_changed}${wasChanged}`;
}

const time = (ms: number) => (ms === 0 ? 'null' : `"${isoTime(ms)}"`);

function resolveStatus({ status, isUpstreamError }: Exchange, isBroken: boolean): AuditStatus {
  if (isBroken || isUpstreamError || status >= 500) return 'error';
  return status >= 400 ? 'warning' : 'success';
}
