import type { DeploymentChanges } from '@paddock/contract';
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { type TargetOptions, theDeployment } from '../deployment.ts';
import { examples } from '../examples.ts';
import type { Run } from '../run.ts';
import { clean } from '../terminal.ts';

interface Options extends TargetOptions {
  with?: string;
}

export function diffCommand(program: Command, run: Run) {
  program
    .command('diff')
    .description('Show what a deployment changed: files, packages, plan, and variables by name (default: against the one before it).')
    .argument('[deployment|project]', 'an id (dep_…) or the name of a project: the deployment that serves')
    .option('--with <deployment>', 'the other deployment (default: what served the environment before)')
    .option('--project <name>', "the project (default: this folder's)")
    .option('--env <environment>', 'production or preview', 'production')
    .addHelpText(
      'after',
      examples([
        ['paddock diff', 'what the deployment of this folder changed'],
        ['paddock diff dep_… --with dep_…', 'before going back to the first one'],
      ]),
    )
    .action((target: string | undefined, options: Options, command: Command) =>
      run(command, async (context) => showChanges(context, target, options)),
    );
}

async function showChanges(context: Context, target: string | undefined, options: Options) {
  const server = await context.server();
  const { id } = await theDeployment(context, { server, given: target, options });
  const changes = await server.api.deployments.changes({ id, ...(options.with === undefined ? {} : { with: options.with }) });
  context.terminal.result(changes, clean(describeChanges(changes)));
}

const signs = { added: '+', removed: '-', changed: '~' };
const indent = '  ';

function describeChanges({ deployment_id, with_id, is_same_code, files, packages, plan, variables }: DeploymentChanges): string {
  const sections = [
    section(
      'Files',
      files && {
        lines: files.list.map(({ path, change }) => `${signs[change]} ${path}`),
        total: files.added + files.removed + files.changed,
      },
      {
        unknown: 'an archive is gone or cannot be read',
      },
    ),
    section('Packages', packages && { lines: packages.list.map(packageLine), total: packages.total }, {
      unknown: 'one of the two was not built',
    }),
    section('Plan', plan && { lines: plan.map(factLine), total: plan.length }, { unknown: 'one of the two has no plan' }),
    section('Variables', variables && { lines: variables.map(({ name, change }) => `${signs[change]} ${name}`), total: variables.length }, {
      unknown: 'one of the two was not started, or before names were kept',
    }),
  ];
  const same = is_same_code === true ? '\nBoth have the same archive.' : '';
  return `${deployment_id} compared with ${with_id}${same}\n\n${sections.join('\n\n')}`;
}

type Packages = NonNullable<DeploymentChanges['packages']>['list'];

function packageLine({ name, version, version_before }: Packages[number]): string {
  if (version === null) return [signs.removed, name, version_before].join(' ');
  return version_before === null ? [signs.added, name, version].join(' ') : [signs.changed, name, version_before, '→', version].join(' ');
}

const factLine = ({ what, value, value_before }: NonNullable<DeploymentChanges['plan']>[number]) =>
  [signs.changed, `${what}:`, value_before ?? 'none', '→', value ?? 'none'].join(' ');

function section(title: string, shown: { lines: string[]; total: number } | null, { unknown }: { unknown: string }): string {
  if (shown === null) return `${title}: unknown, ${unknown}`;
  const { lines, total } = shown;
  if (total === 0) return `${title}: no changes`;
  const more = total > lines.length ? [`… and ${total - lines.length} more`] : [];
  return [`${title} (${total})`, ...[...lines, ...more].map((line) => `${indent}${line}`)].join('\n');
}
