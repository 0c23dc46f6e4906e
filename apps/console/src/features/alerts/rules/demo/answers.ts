import type { Client } from '@paddock/client';
import type { AlertRule } from '@paddock/contract';
import { type AlertRuleName, alertRuleNames, alertRules } from '@paddock/contract/alert-rules';
import { ApiError } from '@paddock/contract/errors';
import type { contract } from '@paddock/contract/routes';
import { answer } from '../../../../demo/answering.ts';
import type { DemoWorld } from '../../../../demo/demo-world.ts';

/** Rules of the demo: changes last until reload. */
export function demoAlertRules(world: Pick<DemoWorld, 'projects'>): Client<typeof contract>['alertRules'] {
  const changed = new Map<string, { is_on: boolean; threshold: number }>();
  // The agent runs once a night: two days without a request are too long.
  const nightly = world.projects.find(({ name }) => name === 'nightly-eval');
  if (nightly) changed.set(`${nightly.id} no_requests`, { is_on: true, threshold: 2_880 });

  function shown(project: string, rule: AlertRuleName): AlertRule {
    const { label, unit, isOn, threshold: usual } = alertRules[rule];
    const { is_on, threshold } = changed.get(`${project} ${rule}`) ?? { is_on: isOn, threshold: usual };
    return { rule, label, unit, is_on, threshold, is_default: is_on === isOn && threshold === usual };
  }
  function check(id: string) {
    if (!world.projects.some((project) => project.id === id)) throw new ApiError('project_not_found');
  }

  return {
    list: ({ id }, options) =>
      answer(() => {
        check(id);
        return { alert_rules: alertRuleNames.map((rule) => shown(id, rule)) };
      }, options),
    get: ({ id, rule }, options) =>
      answer(() => {
        check(id);
        return shown(id, rule);
      }, options),
    update: ({ id, rule, is_on, threshold }, options) =>
      answer(() => {
        check(id);
        const { least, most } = alertRules[rule];
        if (threshold !== undefined && !(threshold >= least && threshold <= most))
          throw new ApiError('input_invalid', { errors: [{ path: 'threshold', message: `Between ${least} and ${most}` }] });
        const now = shown(id, rule);
        changed.set(`${id} ${rule}`, { is_on: is_on ?? now.is_on, threshold: threshold ?? now.threshold });
        return shown(id, rule);
      }, options),
    reset: ({ id, rule }, options) =>
      answer(() => {
        check(id);
        changed.delete(`${id} ${rule}`);
        return null;
      }, options),
  };
}
