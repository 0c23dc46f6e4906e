import type { Client } from '@paddock/client';
import { type AlertRule, type AlertRuleName, alertRuleNames, alertRules } from '@paddock/contract/alert-rules';
import { ApiError } from '@paddock/contract/errors';
import type { contract } from '@paddock/contract/routes';
import type { DemoWorld } from '../../../demo/demo-world.ts';

/** Rules of the demo: changes last until reload. */
export function demoAlertRules(world: Pick<DemoWorld, 'projects'>): Client<typeof contract>['alertRules'] {
  const changed = new Map<string, { is_on: boolean; threshold: number }>();

  function shown(project: string, rule: AlertRuleName): AlertRule {
    const { label, unit, isOn, threshold: usual } = alertRules[rule];
    const { is_on, threshold } = changed.get(`${project} ${rule}`) ?? { is_on: isOn, threshold: usual };
    return { rule, label, unit, is_on, threshold, is_default: is_on === isOn && threshold === usual };
  }
  function check(id: string) {
    if (!world.projects.some((project) => project.id === id)) throw new ApiError('project_not_found');
  }

  return {
    async list({ id }) {
      check(id);
      return { alert_rules: alertRuleNames.map((rule) => shown(id, rule)) };
    },
    async update({ id, rule, is_on, threshold }) {
      check(id);
      const { least, most } = alertRules[rule];
      if (threshold !== undefined && !(threshold >= least && threshold <= most))
        throw new ApiError('input_invalid', { errors: [{ path: 'threshold', message: `Between ${least} and ${most}` }] });
      const now = shown(id, rule);
      changed.set(`${id} ${rule}`, { is_on: is_on ?? now.is_on, threshold: threshold ?? now.threshold });
      return shown(id, rule);
    },
  };
}
