import type { Command } from 'commander';
import { examples } from '../examples.ts';
import { type ApplyOptions, applyPolicies } from '../policies/apply.ts';
import { listPolicies } from '../policies/list.ts';
import type { Run } from '../run.ts';

export function policyCommand(program: Command, run: Run) {
  const policy = program
    .command('policy')
    .description('List the policies of your team, and keep them in a file.')
    .addHelpText(
      'after',
      examples([
        ['paddock policy list', 'what is active, and what Paddock does about each rule'],
        ['paddock policy apply policies.yaml', 'create and update what the file names'],
        ['paddock policy apply policies.yaml --check', 'only tell what would change; exits with 1 if something would'],
      ]),
    );
  policy
    .command('list')
    .alias('ls')
    .description('List policies with their rules, and whether Paddock acts on them.')
    .action((_options: object, command: Command) => run(command, listPolicies));
  policy
    .command('apply')
    .description('Create or update policies by their names, as a file has them. Policies that it does not name stay.')
    .argument('<file>', 'YAML or JSON: a list of policies, or an object with the list as policies')
    .option('--check', 'change nothing; exit with 1 if something would change')
    .action((file: string, options: ApplyOptions, command: Command) => run(command, (context) => applyPolicies(context, file, options)));
}
