import { type DeploymentStatus, deploymentStatuses } from '@paddock/contract';
import { type Command, Option } from 'commander';
import type { Context } from '../context.ts';
import { parseEnvironment } from '../deployment.ts';
import { examples } from '../examples.ts';
import { usage } from '../failures.ts';
import { theProject } from '../project.ts';
import type { Run } from '../run.ts';
import { table } from '../terminal.ts';

interface Options {
  project?: string;
  env?: string;
  status?: DeploymentStatus;
  limit: string;
}

export function listCommand(program: Command, run: Run) {
  program
    .command('list')
    .alias('ls')
    .description('List deployments, newest first.')
    .option('--project <name>', 'only this project')
    .option('--env <environment>', 'only production or preview')
    .addOption(new Option('--status <status>', 'only deployments with this status').choices(deploymentStatuses))
    .option('--limit <number>', 'maximum number of deployments, up to 500', '20')
    .addHelpText(
      'after',
      examples([
        ['paddock list --status active', 'what runs'],
        ['paddock list --project chat --json', 'for a script'],
      ]),
    )
    .action((options: Options, command: Command) => run(command, (context) => list(context, options)));
}

async function list(context: Context, options: Options) {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > 500) throw usage('--limit is a number from 1 to 500.');
  const server = await context.server();
  const project = options.project === undefined ? undefined : await theProject(context, options.project, server);
  const answer = await server.api.deployments.list({
    limit,
    ...(project ? { project_id: project.id } : {}),
    ...(options.env === undefined ? {} : { environment: parseEnvironment(options.env) }),
    ...(options.status ? { status: options.status } : {}),
  });
  const { terminal } = context;
  const rows = answer.deployments.map((d) => [
    d.id,
    d.project_name,
    d.environment,
    d.is_current ? `${d.status} *` : d.status,
    d.created_at.slice(0, 16).replace('T', ' '),
    d.url ?? '',
  ]);
  const human = rows.length
    ? table(['DEPLOYMENT', 'PROJECT', 'ENVIRONMENT', 'STATUS', 'CREATED (UTC)', 'ADDRESS'], rows, terminal)
    : 'No deployments. Run: paddock deploy';
  terminal.result(answer, human);
  if (answer.total > rows.length) terminal.note(`${answer.total - rows.length} more: --limit shows them.`);
}
