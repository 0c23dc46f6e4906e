import type { DataProtectionSettings } from '@paddock/contract/data-protection';
import { type Counts, totals } from '../../protection/redactor.ts';
import type { Exchange } from '../../taps/tap.ts';
import { isoTime, recordId } from './ids.ts';
import type { Recorded } from './recorded-body.ts';
import type { RequestLines } from './redact-request.ts';

const maxUserAgent = 300;
const text = JSON.stringify;

/** Fields with which every record of a route begins. */
export interface Owner {
  team_id: string;
  project_id: string;
  project_name: string;
  deployment_id: string | null;
  protection: DataProtectionSettings;
}

/** A body with the number of bytes that passed. */
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

/** Formats the events of a route's exchanges as lines of JSON. The field names are those of packages/audit. */
export function recordLines({ team_id, project_id, project_name, deployment_id, protection }: Owner) {
  const begin =
    `{"team_id":${text(team_id)},"agent_id":${text(project_id)},"agent_name":${text(project_name)}` +
    `,"actor":{"type":"visitor","id":null,"name":null},"user_id":null,"targets":[{"type":"deployment","id":${text(deployment_id)},"name":null}]`;
  const deployment = `"deployment_id":${text(deployment_id)}`;
  return { request, answer };

  function request(exchange: Exchange, { lines, userAgent, body, forwardedAt }: RequestRecord): string {
    const head = headOf(exchange, { type: 'request', at: exchange.beganAtMs, action: lines.action });
    const query = lines.query === null ? 'null' : text(lines.query);
    const input = `{"method":${text(exchange.method)},"path":${text(lines.path)},"query":${query},"host":${text(exchange.host)},${deployment},${bodyOf(body)},"scanned_at":${time(body.scannedAt)},"forwarded_at":${time(forwardedAt)}}`;
    return `${head},"status":"success","duration_ms":null,"input_data":${input},"output_data":null${tail(exchange, { userAgent, body })}`;
  }

  function answer(exchange: Exchange, { action, userAgent, body, isBroken }: AnswerRecord): string {
    const head = headOf(exchange, { type: 'response', at: Date.now(), action });
    const hasLeft = exchange.answeredAt === 0 && exchange.failure === '';
    const firstByteAt = exchange.answeredAt === 0 ? 0 : exchange.beganAtMs + exchange.answeredAt - exchange.startedAt;
    const failure = exchange.failure === '' ? 'null' : text(exchange.failure);
    const output = `{"status":${hasLeft ? 0 : exchange.status},"failure":${failure},${deployment},${bodyOf(body)},"first_byte_at":${time(firstByteAt)},"scanned_at":${time(body.scannedAt)}}`;
    const status = statusOf(exchange, hasLeft || isBroken);
    const duration = Math.round(exchange.latencyUs) / 1_000;
    return `${head},"status":"${status}","duration_ms":${duration},"input_data":null,"output_data":${output}${tail(exchange, { userAgent, body })}`;
  }

  function headOf({ traceparent }: Exchange, { type, at, action }: { type: 'request' | 'response'; at: number; action: string }): string {
    return `${begin},"id":"${recordId(at)}","timestamp":"${isoTime(at)}","action_type":"${type}","action":${text(action)},"trace_id":"${traceparent.slice(3, 35)}"`;
  }

  function tail({ client, requestId }: Exchange, { userAgent, body }: { userAgent: string | null; body: PassedBody }): string {
    const metadata = `{"ip_address":${text(client.address)},"user_agent":${userAgent === null ? 'null' : text(userAgent)},"request_id":${text(requestId)}}`;
    return `,"metadata":${metadata},"pii":${body.isScanned ? piiOf(body.found) : 'null'}}`;
  }

  function piiOf(found: Counts | undefined): string {
    if (found === undefined) return '{"scans":1,"detected":0,"redacted":0,"types":{}}';
    const { detected, redacted } = totals(found, protection);
    return `{"scans":1,"detected":${detected},"redacted":${redacted},"types":${text(found)}}`;
  }
}

/** The record of a gap: requests that were served unrecorded while there was no room for records. */
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
  });
}

export const cutUserAgent = (given: string): string => given.slice(0, maxUserAgent).toWellFormed();

function bodyOf({ sizeBytes, contentType, json, leftOut, isCut, wasChanged }: PassedBody): string {
  const type = contentType === '' ? 'null' : text(contentType);
  const why = leftOut === null ? 'null' : `"${leftOut}"`;
  return `"size_bytes":${sizeBytes},"content_type":${type},"body":${json},"left_out":${why},"is_cut":${isCut},"was_changed":${wasChanged}`;
}

const time = (ms: number) => (ms === 0 ? 'null' : `"${isoTime(ms)}"`);

function statusOf({ status, isUpstreamError }: Exchange, isBroken: boolean): 'success' | 'warning' | 'error' {
  if (isBroken || isUpstreamError || status >= 500) return 'error';
  return status >= 400 ? 'warning' : 'success';
}
