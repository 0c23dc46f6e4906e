import * as z from 'zod';
import { complianceStatuses, controlIds, controlStatuses, frameworkIds } from './compliance-table.ts';
import { textLimits } from './limits.ts';
import { bytes, id, nothing, timestamp } from './lists.ts';
import { route } from './route.ts';

export const Framework = z.enum(frameworkIds);
export const Control = z.enum(controlIds);
const framework = Framework;
const control = Control;
const count = z.number().int().min(0);

/** The place to fix a finding. */
export const ControlFix = z.object({
  text: z.string(),
  path: z.string().nullable().meta({ description: 'A page of the console, from its root' }),
});

export const ControlResource = z.object({
  type: z.string().meta({ description: 'api_key, user, project, deployment, database, team, installation …' }),
  id: z.string(),
  name: z.string().nullable(),
  status: z.enum(controlStatuses),
  finding: z.string().meta({ description: 'What was found, as a sentence; in the view of one framework by the limits of its clauses' }),
  clauses: z
    .array(z.string())
    .max(100)
    .meta({ description: 'The clauses that it breaks, such as GDPR Art. 5(1)(c); none unless it failed' }),
  evidence: z.json().meta({ description: 'What was looked at, without secrets' }),
  fix: ControlFix.nullable(),
  waiver_id: z.string().nullable().meta({ description: 'Of a waiver that counts for it now' }),
});
export type ControlResource = z.infer<typeof ControlResource>;

export const ControlState = z.object({
  control,
  title: z.string(),
  status: z.enum(controlStatuses).meta({ description: 'Of the last run; unverified without one' }),
  is_stale: z.boolean().meta({ description: 'The last run is older than twice its interval' }),
  is_waived: z.boolean().meta({ description: 'All that fails has a waiver that counts now' }),
  checked_at: timestamp.nullable(),
  every_seconds: count,
  clauses: z
    .array(z.string())
    .max(100)
    .meta({ description: 'Of this framework, such as Art. 5(1)(c); of all, such as GDPR Art. 5(1)(c), where no framework was asked for' }),
  looked_at: z
    .string()
    .nullable()
    .meta({ description: 'What the last run looked at, as a sentence; why nothing, where it is not applicable' }),
  failed: count.meta({ description: 'Resources that failed without a waiver' }),
});
export type ControlState = z.infer<typeof ControlState>;

export const ComplianceFramework = z.object({
  framework,
  name: z.string(),
  status: z.enum(complianceStatuses),
  last_checked: timestamp.nullable().meta({ description: 'The oldest of the last runs of its controls; null if one never ran' }),
  violations: count,
});
export type ComplianceFramework = z.infer<typeof ComplianceFramework>;

/** A line of the cards Data Privacy, Access Control and Security. */
export const Claim = z.object({
  card: z.enum(['data_privacy', 'access_control', 'security']),
  label: z.string(),
  value: z.string().meta({ description: "'Not verified' where nothing verifies it" }),
  control: control.nullable(),
  status: z.enum(controlStatuses),
});
export type Claim = z.infer<typeof Claim>;

export const ComplianceDetail = z.object({
  framework,
  name: z.string(),
  status: z.enum(complianceStatuses),
  last_checked: timestamp.nullable(),
  checks_passed: count,
  checks_failed: count,
  checks_unverified: count.meta({ description: 'Stale, or not to be verified; they count as not passing' }),
  checks_not_applicable: count.meta({ description: 'Nothing to look at; they count neither as passed nor as failed' }),
  coverage: z
    .number()
    .min(0)
    .max(100)
    .meta({ description: 'Percent of its applicable controls that have a fresh run which could verify them' }),
  violations: z.array(z.string()).max(500).meta({ description: 'What failed, as sentences that name the resource; at most 500' }),
  violations_total: count.meta({ description: 'How many failed, also those beyond the list' }),
  details: z
    .array(z.object({ control, resource: ControlResource }))
    .max(500)
    .meta({ description: 'The same violations with what to do' }),
  controls: z.array(ControlState).max(controlIds.length),
  run: z
    .lazy(() => ComplianceRun)
    .nullable()
    .meta({ description: 'Under way now' }),
});
export type ComplianceDetail = z.infer<typeof ComplianceDetail>;

export const ComplianceRun = z.object({
  id: id('cmr'),
  framework: framework.nullable().meta({ description: 'Null: all' }),
  status: z.enum(['queued', 'running', 'completed', 'failed']),
  controls_total: count,
  controls_done: count,
  started_at: timestamp,
  finished_at: timestamp.nullable(),
});
export type ComplianceRun = z.infer<typeof ComplianceRun>;

export const Waiver = z.object({
  id: id('wvr'),
  control,
  resource_id: z.string().nullable().meta({ description: 'Null: for all that the control finds' }),
  owner: z.string(),
  reason: z.string(),
  expires_at: timestamp,
  created_at: timestamp,
});
export type Waiver = z.infer<typeof Waiver>;

export const compliance = {
  overview: route({
    method: 'GET',
    path: '/governance/compliance',
    access: 'governance:read',
    summary: 'Frameworks with their status, the score, and what is verified of privacy, access and security',
    input: z.strictObject({}),
    output: z.object({
      frameworks: z.array(ComplianceFramework).max(frameworkIds.length),
      score: z
        .number()
        .min(0)
        .max(100)
        .nullable()
        .meta({ description: 'Percent of all applicable controls whose last fresh run passed; null before the first' }),
      claims: z.array(Claim).max(20),
    }),
  }),
  detail: route({
    method: 'GET',
    path: '/governance/compliance/:framework',
    access: 'governance:read',
    summary: 'One framework: its controls, what failed and what to do',
    input: z.strictObject({ framework }),
    output: ComplianceDetail,
  }),
  check: route({
    method: 'POST',
    path: '/governance/compliance/:framework/check',
    access: 'governance:write',
    status: 201,
    location: '/governance/compliance-runs/{id}',
    summary: 'Check all controls of a framework now; a check that is under way is not begun again',
    note: 'It goes on after the answer: poll the run.',
    audit: 'compliance.check',
    input: z.strictObject({ framework }),
    output: ComplianceRun,
  }),
  evidence: route({
    method: 'POST',
    path: '/governance/compliance/:framework/evidence',
    access: 'governance:read',
    download: { as: 'bytes', types: ['application/zip'] },
    summary: 'What was checked and found for a framework, for an auditor: a ZIP with evidence.json and a report to print',
    note: 'One of a team is made at a time.',
    audit: 'compliance.export',
    input: z.strictObject({ framework }),
    output: bytes,
  }),
  run: route({
    method: 'GET',
    path: '/governance/compliance-runs/:id',
    access: 'governance:read',
    summary: 'How far a check is',
    errors: ['compliance_run_not_found'],
    input: z.strictObject({ id: id('cmr') }),
    output: ComplianceRun,
  }),
  control: route({
    method: 'GET',
    path: '/governance/controls/:control',
    access: 'governance:read',
    summary: 'One control: the evidence of its last run, by the clauses of one framework or of all, and the runs before',
    input: z.strictObject({ control, framework: framework.optional() }),
    output: ControlState.extend({
      resources: z.array(ControlResource).max(500),
      resources_total: count,
      version: z.string().nullable().meta({ description: 'Of Paddock, which checked it' }),
      history: z.array(z.object({ checked_at: timestamp, status: z.enum(controlStatuses), failed: count, duration_ms: count })).max(50),
      waivers: z.array(Waiver),
    }),
  }),
  createWaiver: route({
    method: 'POST',
    path: '/governance/controls/:control/waivers',
    access: 'governance:write',
    status: 201,
    location: '/governance/waivers/{id}',
    summary: 'Accept what a control finds, with a reason, until a day',
    audit: 'waiver.create',
    input: z.strictObject({
      control,
      resource_id: z.string().min(1).max(200).optional(),
      owner: z.string().trim().min(1).max(textLimits.waiverOwner),
      reason: z.string().trim().min(10).max(textLimits.waiverReason),
      expires_at: timestamp.meta({ description: 'At most a year ahead' }),
    }),
    output: Waiver,
  }),
  waiver: route({
    method: 'GET',
    path: '/governance/waivers/:id',
    access: 'governance:read',
    summary: 'One waiver; the answer of a control lists all of the control',
    errors: ['waiver_not_found'],
    input: z.strictObject({ id: id('wvr') }),
    output: Waiver,
  }),
  deleteWaiver: route({
    method: 'DELETE',
    path: '/governance/waivers/:id',
    access: 'governance:write',
    status: 204,
    summary: 'End a waiver now',
    audit: 'waiver.delete',
    errors: ['waiver_not_found'],
    input: z.strictObject({ id: id('wvr') }),
    output: nothing,
  }),
};
