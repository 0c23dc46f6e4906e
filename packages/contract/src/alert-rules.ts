import * as z from 'zod';
import { alertRuleNames, alertRuleUnits } from './alert-rule-table.ts';
import { id, nothing } from './lists.ts';
import { route } from './route.ts';

export const AlertRule = z.object({
  rule: z.enum(alertRuleNames),
  label: z.string(),
  unit: z.enum(alertRuleUnits),
  is_on: z.boolean(),
  threshold: z.number().meta({ description: 'Above it the alert opens; of the health score and of visits, below it' }),
  is_default: z.boolean().meta({ description: 'Nobody changed it' }),
});
export type AlertRule = z.infer<typeof AlertRule>;

const project = z.strictObject({ id: id('prj') });
export const AlertRuleId = z.enum(alertRuleNames);
const ruleOfProject = project.extend({ rule: AlertRuleId });

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
  get: route({
    method: 'GET',
    path: '/projects/:id/alert-rules/:rule',
    access: 'projects:read',
    summary: 'One rule of a project',
    errors: ['project_not_found'],
    input: ruleOfProject,
    output: AlertRule,
  }),
  update: route({
    method: 'PUT',
    path: '/projects/:id/alert-rules/:rule',
    access: 'projects:write',
    summary: 'Switch a rule on or off, or change its threshold; what is left out stays',
    audit: 'alert-rule.update',
    errors: ['project_not_found'],
    input: ruleOfProject.extend({ is_on: z.boolean().optional(), threshold: z.number().optional() }),
    output: AlertRule,
  }),
  reset: route({
    method: 'DELETE',
    path: '/projects/:id/alert-rules/:rule',
    access: 'projects:write',
    status: 204,
    summary: 'Give a rule its defaults again; one that nobody changed stays as it is',
    audit: 'alert-rule.reset',
    errors: ['project_not_found'],
    input: ruleOfProject,
    output: nothing,
  }),
};
