import { piiActions, piiTypes } from '@paddock/pii/types';
import * as z from 'zod';
import { auditActionTypes, auditStatuses } from './audit-kinds.ts';
import { bodyRecordings, overrunModes, piiTraffic, unrecordedModes } from './data-protection.ts';
import { governanceLimits } from './limits.ts';
import { id, nextCursor, page, timestamp } from './lists.ts';
import { route } from './route.ts';
import { TraceId } from './traces.ts';

const json = z.json();
const seq = z.number().int().min(1).meta({ description: 'Counts the team’s records from 1, without a gap' });

export const AuditLog = z.object({
  id: id('aud'),
  seq,
  timestamp,
  agent_id: z.string().nullable().meta({ description: 'The project of the agent; null for what concerns none' }),
  agent_name: z.string().nullable(),
  action_type: z.enum(auditActionTypes),
  action: z.string(),
  user_id: z.string().optional(),
  actor: z.object({
    type: z.enum(['person', 'key', 'visitor', 'agent', 'platform']),
    id: z.string().nullable(),
    name: z.string().nullable(),
  }),
  targets: z.array(z.object({ type: z.string(), id: z.string(), name: z.string().nullable() })),
  input_data: json.meta({ description: 'Redacted; null if there was none, if the project keeps none, or once retention removed it' }),
  output_data: json,
  duration_ms: z.number().nullable(),
  status: z.enum(auditStatuses),
  trace_id: z.string().nullable(),
  metadata: z.object({ ip_address: z.string().nullable(), user_agent: z.string().nullable(), request_id: z.string().nullable() }),
  pii: z
    .object({
      scans: z.number().int(),
      detected: z.number().int(),
      redacted: z.number().int(),
      types: z.record(z.string(), z.number().int()),
    })
    .nullable()
    .meta({ description: 'What was found in the bodies; null if nothing was scanned' }),
  recorded_at: timestamp.meta({ description: 'When it got its place in the chain' }),
  is_erased: z.boolean().meta({ description: 'Retention or an erasure removed its payload; the chain still verifies' }),
  hash: z.string(),
});
export type AuditLog = z.infer<typeof AuditLog>;

const filter = z.strictObject({
  agent: z.string().max(64).optional().meta({ description: 'An agent_id' }),
  action_type: z.enum(auditActionTypes).optional(),
  status: z.enum(auditStatuses).optional(),
  date_from: timestamp.optional(),
  date_to: timestamp.optional(),
  search: z.string().max(200).optional().meta({ description: 'Part of the action, in any case; or a whole request id' }),
  trace_id: TraceId.optional(),
  user: z.string().max(64).optional().meta({ description: 'The id of a person or an API key' }),
});
export type AuditFilter = z.infer<typeof filter>;

export const exportFormats = ['json', 'jsonl', 'csv', 'ocsf'] as const;

export const FirstBad = z.object({ seq, id: z.string().nullable(), reason: z.string() });
export const Verification = z.object({
  valid: z.boolean(),
  checked: z.number().int().min(0).meta({ description: 'Records that this call checked' }),
  first_bad: FirstBad.nullable(),
  up_to_seq: z.number().int().min(0).meta({ description: 'The last record that was checked' }),
  head_seq: z.number().int().min(0),
  checkpoint_seq: z.number().int().min(0).meta({ description: 'The last record that a signed checkpoint covers' }),
  next_seq: seq.nullable().meta({ description: 'Where to go on with from_seq, if the time of one call did not suffice' }),
});
export type Verification = z.infer<typeof Verification>;

export const GovernanceSummary = z.object({
  total_actions: z.number().int().min(0),
  agents: z.array(z.object({ agent_id: z.string(), agent_name: z.string() })).meta({ description: 'That the trail names' }),
  chain: z.object({
    head_seq: z.number().int().min(0),
    checkpoint_seq: z.number().int().min(0),
    checkpoint_at: timestamp.nullable(),
    key_id: z.string(),
    public_key: z.string().meta({ description: 'Ed25519, base64url' }),
    verified: z
      .object({ valid: z.boolean(), up_to_seq: z.number().int(), verified_at: timestamp, first_bad: FirstBad.nullable() })
      .nullable(),
  }),
  retention: z.object({
    retention_days: z.number().int(),
    last_run_at: timestamp.nullable(),
    last_deleted: z.number().int().nullable().meta({ description: 'Payloads that the last run removed' }),
  }),
});
export type GovernanceSummary = z.infer<typeof GovernanceSummary>;

export const PiiStats = z.object({
  total_scans: z.number().int().min(0),
  pii_detected: z.number().int().min(0),
  auto_redacted: z.number().int().min(0),
  types_detected: z.record(z.string(), z.number().int().min(0)),
});
export type PiiStats = z.infer<typeof PiiStats>;

export const PiiFinding = z.object({
  type: z.enum(piiTypes),
  start: z.number().int().meta({ description: 'In UTF-16 units' }),
  end: z.number().int(),
  score: z.number().min(0).max(1),
});

export const lineageStages = ['received', 'scanned', 'forwarded', 'agent', 'model', 'tool', 'answered', 'recorded'] as const;
export const Lineage = z.object({
  trace_id: TraceId,
  stages: z.array(
    z.object({
      stage: z.enum(lineageStages),
      timestamp,
      data_type: z.string(),
      size_bytes: z.number().int().min(0).nullable(),
      name: z.string().nullable().meta({ description: 'Of the model or tool, or what was found' }),
      duration_ms: z.number().nullable(),
      audit_id: z.string().nullable(),
    }),
  ),
  deployment_id: z.string().nullable().meta({ description: 'Where the trace is, if it was recorded' }),
});
export type Lineage = z.infer<typeof Lineage>;

export const DataProtectionRule = z.strictObject({ action: z.enum(piiActions), traffic: z.enum(piiTraffic) });
const settings = z.strictObject({
  bodies: z.enum(bodyRecordings),
  sample_percent: z.number().int().min(1).max(100),
  when_unrecorded: z.enum(unrecordedModes),
  on_overrun: z.enum(overrunModes),
  rules: z.record(z.enum(piiTypes), DataProtectionRule),
  redact_logs: z.boolean(),
  keep_span_content: z.boolean(),
});
export const DataProtection = settings.extend({ is_default: z.boolean() });
export type DataProtection = z.infer<typeof DataProtection>;
const project = z.strictObject({ id: id('prj') });

export const governance = {
  summary: route({
    method: 'GET',
    path: '/governance/summary',
    access: 'governance:read',
    summary: 'The state of the audit trail: records, chain, retention',
    input: z.strictObject({}),
    output: GovernanceSummary,
  }),
  auditLogs: route({
    method: 'GET',
    path: '/governance/audit-logs',
    access: 'governance:read',
    summary: 'What happened, newest first',
    errors: ['cursor_invalid'],
    renamed: { q: 'search' },
    input: filter.extend(page.shape),
    output: z.object({
      logs: z.array(AuditLog),
      next_cursor: nextCursor.meta({
        description: 'Null at the end of the list. With `search` a page may hold fewer than limit although there is more',
      }),
      match_count: z
        .number()
        .int()
        .nullable()
        .meta({ description: `Matches, of the first page alone; counted up to ${governanceLimits.counted.toLocaleString('en')}` }),
    }),
  }),
  auditLog: route({
    method: 'GET',
    path: '/governance/audit-logs/:id',
    access: 'governance:read',
    summary: 'One record',
    errors: ['audit_log_not_found'],
    input: z.strictObject({ id: id('aud') }),
    output: AuditLog,
  }),
  exportAuditLogs: route({
    method: 'POST',
    path: '/governance/audit-logs/export',
    access: 'governance:read',
    download: { as: 'text', types: ['application/json', 'application/x-ndjson', 'text/csv'] },
    summary: 'The trail, or what the filter leaves of it, as a file',
    note: '`json` and `jsonl` can be verified without a server. Two exports of a team, and 16 of all, run at a time on each server. One that nobody reads for two minutes, or that takes an hour, is cut off.',
    audit: 'audit.export',
    renamed: { q: 'search' },
    input: filter.extend({ format: z.enum(exportFormats).default('json') }),
    output: z.string(),
  }),
  verifyAuditLogs: route({
    method: 'POST',
    path: '/governance/audit-logs/verify',
    access: 'governance:read',
    summary: 'Check the chain of records against its hashes and signed checkpoints',
    note: 'A call works for five seconds. Two of a team, and 16 of all, run at a time on each server.',
    audit: 'audit.verify',
    input: z.strictObject({ from_seq: z.number().int().min(1).default(1) }),
    output: Verification,
  }),
  piiDetection: route({
    method: 'GET',
    path: '/governance/pii-detection',
    access: 'governance:read',
    summary: 'What personal data was found and redacted',
    input: z.strictObject({ date_from: timestamp.optional(), date_to: timestamp.optional() }),
    output: PiiStats,
  }),
  scan: route({
    method: 'POST',
    path: '/governance/pii-detection/scan',
    access: 'governance:read',
    summary: 'What the detector finds in a text, of which nothing is stored',
    // Not audited: nothing changes, and only the caller's own text is returned.
    audit: false,
    // The text may contain personal data, so it is not stored with an Idempotency-Key either.
    answer: 'secret',
    body_bytes: 4 * governanceLimits.scanCharacters,
    input: z.strictObject({ text: z.string().max(governanceLimits.scanCharacters) }),
    output: z.object({ findings: z.array(PiiFinding), redacted: z.string() }),
  }),
  lineage: route({
    method: 'GET',
    path: '/governance/data-lineage/:trace_id',
    access: 'governance:read',
    summary: 'The way of a request’s data: received, scanned, forwarded, agent, answered, recorded',
    errors: ['trace_not_found'],
    input: z.strictObject({ trace_id: TraceId }),
    output: Lineage,
  }),
  dataProtection: route({
    method: 'GET',
    path: '/projects/:id/data-protection',
    access: 'projects:read',
    summary: 'What becomes of personal data that passes a project’s agents',
    errors: ['project_not_found'],
    input: project,
    output: DataProtection,
  }),
  setDataProtection: route({
    method: 'PUT',
    path: '/projects/:id/data-protection',
    access: 'projects:write',
    summary: 'Change what becomes of personal data; gateways follow within seconds',
    note: 'It replaces all settings.',
    audit: 'data-protection.update',
    errors: ['project_not_found'],
    input: project.extend(settings.shape),
    output: DataProtection,
  }),
};
