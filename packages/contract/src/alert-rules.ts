import * as z from 'zod';
import { id } from './lists.ts';
import { route } from './route.ts';

/**
 * Rules over what is measured of an agent. Each watches the production environment of a project; `threshold` is in the rule's unit.
 * Crash loops, failed deployments and databases have alerts of their own, which nobody needs to set.
 */
export const alertRules = {
  error_rate: { label: 'Error rate', unit: 'share', isOn: true, threshold: 0.05, least: 0.001, most: 1 },
  p95_latency: { label: 'Latency, p95', unit: 'ms', isOn: true, threshold: 5_000, least: 1, most: 600_000 },
  health_score: { label: 'Health score', unit: 'points', isOn: true, threshold: 50, least: 1, most: 99 },
  agent_down: { label: 'Agent down', unit: 'minutes', isOn: true, threshold: 2, least: 1, most: 1_440 },
  out_of_memory: { label: 'Out of memory', unit: 'times', isOn: true, threshold: 1, least: 1, most: 100 },
  no_requests: { label: 'No requests', unit: 'minutes', isOn: false, threshold: 60, least: 5, most: 10_080 },
} as const;
export type AlertRuleName = keyof typeof alertRules;
export const alertRuleNames = Object.keys(alertRules) as [AlertRuleName, ...AlertRuleName[]];

export const AlertRule = z.object({
  rule: z.enum(alertRuleNames),
  label: z.string(),
  unit: z.enum(['share', 'ms', 'points', 'minutes', 'times']),
  is_on: z.boolean(),
  threshold: z.number().meta({ description: 'Above it the alert opens; of the health score and of visits, below it' }),
  is_default: z.boolean().meta({ description: 'Nobody changed it' }),
});
export type AlertRule = z.infer<typeof AlertRule>;

const project = z.strictObject({ id: id('prj') });

export const alertRuleCalls = {
  list: route({
    method: 'GET',
    path: '/projects/:id/alert-rules',
    access: 'projects:read',
    summary: 'The rules by which alerts about an agent open and close',
    errors: ['project_not_found'],
    input: project,
    output: z.object({ alert_rules: z.array(AlertRule) }),
  }),
  update: route({
    method: 'PUT',
    path: '/projects/:id/alert-rules/:rule',
    access: 'projects:write',
    summary: 'Switch a rule on or off, or change its threshold; what is left out stays',
    audit: 'alert-rule.update',
    errors: ['project_not_found'],
    input: project.extend({ rule: z.enum(alertRuleNames), is_on: z.boolean().optional(), threshold: z.number().optional() }),
    output: AlertRule,
  }),
};
