import type { Command } from 'commander';
import { examples } from '../examples.ts';
import { type ApplyOptions, applyPolicies } from '../policies/apply.ts';
import { listPolicies } from '../policies/list.ts';
import type { Run } from '../run.ts';

export function policyCommand(program: Command, run: Run) {
  const policy = program
    .command('policy')
    .description("List your team's policies and apply them from a file.")
    .addHelpText(
      'after',
      examples([
        ['paddock policy list', 'active policies, and what Paddock does about each rule'],
        ['paddock policy apply policies.yaml', 'create and update the policies in the file'],
        ['paddock policy apply policies.yaml --check', 'only show what would change; exits with 1 if anything would'],
      ]),
    );
  policy
    .command('list')
    .alias('ls')
    .description('List policies with their rules, and whether Paddock enforces each.')
    .action((_options: object, command: Command) => run(command, listPolicies));
  policy
    .command('apply')
    .description('Create or update policies from a file, matched by name. Policies not in the file are left alone.')
    .argument('<file>', 'YAML or JSON: a list of policies, or an object with the list under `policies`')
    .option('--check', 'change nothing; exit with 1 if anything would change')
    .action((file: string, options: ApplyOptions, command: Command) => run(command, (context) => applyPolicies(context, file, options)));
}
