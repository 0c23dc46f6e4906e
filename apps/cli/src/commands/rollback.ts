import type { Command } from 'commander';
import type { Context, Server } from '../context.ts';
import { deploymentsOf, parseEnvironment, type TargetOptions } from '../deployment.ts';
import { examples } from '../examples.ts';
import { notFound } from '../failures.ts';
import { outcome } from '../outcome.ts';
import { theProject } from '../project.ts';
import type { Run } from '../run.ts';

interface Options extends TargetOptions {
  wait: boolean;
}

export function rollbackCommand(program: Command, run: Run) {
  program
    .command('rollback')
    .description(
      "Redeploy an earlier deployment's code. Without an id: the code that was active before the current deployment. Variables keep their current values.",
    )
    .argument('[deployment|project]', 'the deployment to redeploy (dep_…), or the name of a project')
    .option('--project <name>', "the project (default: this folder's)")
    .option('--env <environment>', 'production or preview', 'production')
    .option('--no-wait', 'return as soon as the server has accepted the request')
    .addHelpText(
      'after',
      examples([
        ['paddock rollback', 'back to the previous code'],
        ['paddock rollback dep_…', 'back to the code of this deployment'],
      ]),
    )
    .action((target: string | undefined, options: Options, command: Command) =>
      run(command, (context) => rollback(context, target, options)),
    );
}

async function rollback(context: Context, target: string | undefined, options: Options) {
  const server = await context.server();
  const id = target?.startsWith('dep_') ? target : await deploymentBefore(context, { server, name: target, options });
  const started = await server.api.deployments.rollback({ id });
  context.terminal.note(`Going back to ${id} as ${started.id}`);
  return outcome(context, { server, started, wait: options.wait });
}

interface RollbackTarget {
  server: Server;
  /** The name of a project, or nothing. */
  name: string | undefined;
  options: TargetOptions;
}

/** The id of the deployment that was active before the current one. */
export async function deploymentBefore(context: Context, { server, name, options }: RollbackTarget): Promise<string> {
  const environment = parseEnvironment(options.env);
  const project = await theProject(context, name ?? options.project, server);
  const rows = await deploymentsOf(server, { projectId: project.id, environment, limit: 500 });
  const current = rows.findIndex(({ is_current }) => is_current);
  // A rollback deploys the code of an earlier deployment again, so the next rollback must go further back than that deployment.
  const source = current < 0 ? undefined : codeOf(rows[current]);
  const before = rows.slice(current + 1).find((row) => row.deployed_at !== null && row.id !== source && codeOf(row) !== source);
  if (!before) throw notFound(`${project.name} (${environment}) has no earlier deployment that was active.`);
  return before.id;
}

const codeOf = (row: { id: string; source_deployment_id: string | null } | undefined) => row?.source_deployment_id ?? row?.id;
