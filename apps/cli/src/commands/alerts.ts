import { alertRuleNames } from '@paddock/contract';
import { Argument, type Command } from 'commander';
import { type ListOptions, listAlerts } from '../alerts/list.ts';
import { resolveAlert, snoozeAlert } from '../alerts/resolve.ts';
import { manageAlertRules, type RuleOptions } from '../alerts/rules.ts';
import { examples } from '../examples.ts';
import type { Run } from '../run.ts';

export function alertsCommand(program: Command, run: Run) {
  const alerts = program
    .command('alerts')
    .description('List, resolve and snooze alerts, and set the rules that open them.')
    .addHelpText(
      'after',
      examples([
        ['paddock alerts', 'what is open now'],
        ['paddock alerts snooze alr_… 8h', 'send no notifications until then'],
        ['paddock alerts rules chat set error_rate --threshold 10%', 'another threshold'],
      ]),
    );
  alerts
    .command('list', { isDefault: true })
    .alias('ls')
    .description('List open alerts, newest first.')
    .option('--all', 'also list resolved alerts')
    .option('--project <name>', 'only this project')
    .option('--limit <number>', 'maximum number of alerts, up to 500', '50')
    .action((options: ListOptions, command: Command) => run(command, (context) => listAlerts(context, options)));
  alerts
    .command('resolve')
    .description('Mark an alert as resolved.')
    .argument('<id>', 'id of the alert (alr_…), as shown by "paddock alerts"')
    .action((id: string, _options: object, command: Command) => run(command, (context) => resolveAlert(context, id)));
  alerts
    .command('snooze')
    .description('Snooze an alert; if it is still open afterwards, you are notified again.')
    .argument('<id>', 'id of the alert (alr_…)')
    .argument('<while>', 'such as 30m, 8h or 1d, at most 1w; 0 ends the snooze')
    .action((...[id, span, , command]: [string, string, object, Command]) => run(command, (context) => snoozeAlert(context, id, span)));
  alerts
    .command('rules')
    .description('List the alert rules of a project, change one, or reset it to its defaults.')
    .argument('[project]', "name or id (prj_…) (default: this folder's)")
    .addArgument(new Argument('[action]', 'what to do with a rule').choices(['set', 'reset']))
    .addArgument(new Argument('[rule]', 'the rule').choices(alertRuleNames))
    .option('--on', 'switch it on')
    .option('--off', 'switch it off')
    .option('--threshold <value>', 'in the unit of the rule: 10%, 2s, 30 (minutes, points, times), $25')
    .addHelpText(
      'after',
      examples([
        ['paddock alerts rules chat', 'all rules of the project'],
        ['paddock alerts rules chat set no_requests --on --threshold 2h', 'alert when an agent receives no requests'],
        ['paddock alerts rules chat reset error_rate', 'back to its defaults'],
      ]),
    )
    .action((...given: [string | undefined, RuleOptions['action'], RuleOptions['rule'], Omit<RuleOptions, 'action' | 'rule'>, Command]) => {
      const [project, action, rule, options, command] = given;
      return run(command, (context) => manageAlertRules(context, project, { ...options, action, rule }));
    });
}
