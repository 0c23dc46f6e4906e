import * as z from 'zod';
import { textLimits } from './limits.ts';
import { id, nothing, timestamp } from './lists.ts';
import { maxRuleLetters, policyStatuses, policyTypes } from './policy-rules.ts';
import { route } from './route.ts';

/** `activeHosts` counts the hosts that the rules of a team's active policies name together. */
export const policyLimits = { perTeam: 100, rules: 50, ruleLetters: maxRuleLetters, activeHosts: 5_000 } as const;

const rules = z
  .array(z.string().trim().max(policyLimits.ruleLetters))
  .max(policyLimits.rules * 2)
  .transform((lines) => lines.filter((line) => line !== ''))
  .refine((lines) => lines.length > 0, 'Write at least one rule.')
  .refine((lines) => lines.length <= policyLimits.rules, `At most ${policyLimits.rules} rules`);

export const UnderstoodRule = z.object({
  rule: z.string(),
  is_enforced: z.boolean().meta({ description: 'Paddock understands it, and acts on it while the policy is active' }),
  effect: z.string().meta({ description: 'What it does, as a sentence; of an advisory rule, that nothing enforces it' }),
});
export type UnderstoodRule = z.infer<typeof UnderstoodRule>;

export const PolicyFields = z.strictObject({
  name: z.string().trim().min(1).max(textLimits.policyName),
  description: z.string().trim().max(textLimits.policyDescription).default(''),
  type: z.enum(policyTypes).default('data_retention'),
  status: z.enum(policyStatuses).default('draft'),
  rules,
});

export const Policy = z.object({
  id: id('pol'),
  name: z.string(),
  description: z.string(),
  type: z.enum(policyTypes),
  status: z.enum(policyStatuses),
  rules: z.array(z.string()),
  understood: z.array(UnderstoodRule).meta({ description: 'Of each rule, in the same order' }),
  created_at: timestamp,
  updated_at: timestamp,
  etag: z
    .string()
    .meta({ description: 'Changes with every change; also the header ETag. Send it as If-Match to change only what you have read' }),
});
export type Policy = z.infer<typeof Policy>;

export const DryRun = z.object({
  days: z.number().int(),
  refused: z.number().int().min(0).meta({ description: 'What these rules would have refused or removed in those days' }),
  rules: z.array(
    z.object({
      rule: z.string(),
      is_enforced: z.boolean(),
      refused: z.number().int().min(0),
      looked_at: z.string(),
      examples: z.array(z.object({ at: timestamp, what: z.string(), audit_id: z.string().nullable() })).max(10),
    }),
  ),
});
export type DryRun = z.infer<typeof DryRun>;

export const policies = {
  list: route({
    method: 'GET',
    path: '/governance/policies',
    access: 'governance:read',
    summary: 'All policies, the newest first, with what each rule does',
    input: z.strictObject({}),
    output: z.object({ policies: z.array(Policy) }),
  }),
  create: route({
    method: 'POST',
    path: '/governance/policies',
    etag: true,
    access: 'governance:write',
    status: 201,
    location: '/governance/policies/{id}',
    summary: 'Create a policy',
    audit: 'policy.create',
    errors: ['policy_limit_reached', 'policy_hosts_too_many'],
    input: PolicyFields,
    output: Policy,
  }),
  get: route({
    method: 'GET',
    path: '/governance/policies/:id',
    etag: true,
    access: 'governance:read',
    summary: 'One policy, with what each rule does',
    errors: ['policy_not_found'],
    input: z.strictObject({ id: id('pol') }),
    output: Policy,
  }),
  update: route({
    method: 'PUT',
    path: '/governance/policies/:id',
    etag: true,
    if_match: true,
    access: 'governance:write',
    summary: 'Replace a policy',
    audit: 'policy.update',
    errors: ['policy_not_found', 'precondition_failed', 'policy_hosts_too_many'],
    input: PolicyFields.extend({ id: id('pol') }),
    output: Policy,
  }),
  delete: route({
    method: 'DELETE',
    path: '/governance/policies/:id',
    if_match: true,
    access: 'governance:write',
    status: 204,
    summary: 'Delete a policy; nothing of it is enforced from then on',
    audit: 'policy.delete',
    errors: ['policy_not_found', 'precondition_failed'],
    input: z.strictObject({ id: id('pol') }),
    output: nothing,
  }),
  dryRun: route({
    method: 'POST',
    path: '/governance/policies/dry-run',
    access: 'governance:read',
    summary: 'What rules would have refused in the last 30 days, had they been active; nothing is enforced',
    // Not audited: it changes nothing and only reads the trail.
    audit: false,
    input: z.strictObject({ rules }),
    output: DryRun,
  }),
};
