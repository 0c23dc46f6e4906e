import type { AlertRule, AlertRuleName } from '@paddock/contract';
import { alertRules, thresholdText } from '@paddock/contract/alert-rules';
import type { Context } from '../context.ts';
import { usage } from '../failures.ts';
import { theProject } from '../project.ts';
import { table } from '../terminal.ts';
import { parseThreshold } from './spans.ts';

export interface RuleOptions {
  action: 'set' | 'reset' | undefined;
  rule: AlertRuleName | undefined;
  on?: boolean;
  off?: boolean;
  threshold?: string;
}

export async function manageAlertRules(context: Context, given: string | undefined, options: RuleOptions) {
  const { action, rule } = options;
  if (action && rule === undefined) throw usage(`Name the rule: ${Object.keys(alertRules).join(', ')}.`);
  const change = parseRuleChange(options);
  const server = await context.server();
  const { id, name } = await theProject(context, given, server);
  const { terminal } = context;
  if (action === 'set' && rule) {
    const changed = await server.api.alertRules.update({ id, rule, ...change });
    return terminal.result(changed, `${changed.label} of ${name}: ${settingText(changed)}`);
  }
  if (action === 'reset' && rule) await server.api.alertRules.reset({ id, rule });
  const answer = await server.api.alertRules.list({ id });
  const heading = ['RULE', 'STATE', 'THRESHOLD', 'DEFAULT', 'WHAT'];
  terminal.result(answer, table(heading, answer.alert_rules.map(formatRuleRow), terminal));
}

/** The requested change; only `set` takes one. */
function parseRuleChange({ action, rule, on, off, threshold }: RuleOptions): { is_on?: boolean; threshold?: number } {
  const isEmpty = !on && !off && threshold === undefined;
  if (action !== 'set' && !isEmpty) throw usage('--on, --off and --threshold go with: paddock alerts rules PROJECT set RULE');
  if (action === 'set' && isEmpty) throw usage('Say what to set: --on, --off or --threshold.');
  if (on && off) throw usage('Give either --on or --off.');
  return {
    ...(on || off ? { is_on: on === true } : {}),
    ...(threshold === undefined || rule === undefined ? {} : { threshold: parseThreshold(alertRules[rule].unit, threshold) }),
  };
}

const settingText = ({ is_on, unit, threshold }: AlertRule) => `${is_on ? 'on' : 'off'}, ${thresholdText(unit, threshold)}`;

function formatRuleRow(rule: AlertRule): string[] {
  const usual = alertRules[rule.rule];
  const defaults = `${usual.isOn ? 'on' : 'off'}, ${thresholdText(usual.unit, usual.threshold)}`;
  return [rule.rule, rule.is_on ? 'on' : 'off', thresholdText(rule.unit, rule.threshold), rule.is_default ? '' : defaults, rule.label];
}
