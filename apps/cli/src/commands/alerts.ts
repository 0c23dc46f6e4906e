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
    .description('See what is wrong, resolve or snooze alerts, and set the rules that open them.')
    .addHelpText(
      'after',
      examples([
        ['paddock alerts', 'what is open now'],
        ['paddock alerts snooze alr_… 8h', 'tell nobody of it until then'],
        ['paddock alerts rules chat set error_rate --threshold 10%', 'another threshold'],
      ]),
    );
  alerts
    .command('list', { isDefault: true })
    .alias('ls')
    .description('List open alerts, newest first.')
    .option('--all', 'resolved ones, too')
    .option('--project <name>', 'of this project alone')
    .option('--limit <number>', 'at most so many, up to 500', '50')
    .action((options: ListOptions, command: Command) => run(command, (context) => listAlerts(context, options)));
  alerts
    .command('resolve')
    .description('Mark an alert as resolved.')
    .argument('<id>', 'its id (alr_…), as "paddock alerts" shows it')
    .action((id: string, _options: object, command: Command) => run(command, (context) => resolveAlert(context, id)));
  alerts
    .command('snooze')
    .description('Snooze an alert; if it is still open afterwards, you are notified again.')
    .argument('<id>', 'its id (alr_…)')
    .argument('<while>', 'such as 30m, 8h, 1d or 1w, which is the most; 0 wakes it')
    .action((...[id, span, , command]: [string, string, object, Command]) => run(command, (context) => snoozeAlert(context, id, span)));
  alerts
    .command('rules')
    .description('List the rules of a project, change one, or give it its defaults again.')
    .argument('[project]', 'name or id (prj_…); else the project of this folder')
    .addArgument(new Argument('[action]', 'what to do with a rule').choices(['set', 'reset']))
    .addArgument(new Argument('[rule]', 'which one').choices(alertRuleNames))
    .option('--on', 'switch it on')
    .option('--off', 'switch it off')
    .option('--threshold <value>', 'in its unit: 10%, 2s, 30 (minutes, points, times), $25')
    .addHelpText(
      'after',
      examples([
        ['paddock alerts rules chat', 'all of them'],
        ['paddock alerts rules chat set no_requests --on --threshold 2h', 'a silent agent is told'],
        ['paddock alerts rules chat reset error_rate', 'as it comes'],
      ]),
    )
    .action((...given: [string | undefined, RuleOptions['action'], RuleOptions['rule'], Omit<RuleOptions, 'action' | 'rule'>, Command]) => {
      const [project, action, rule, options, command] = given;
      return run(command, (context) => manageAlertRules(context, project, { ...options, action, rule }));
    });
}
