import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { type TargetOptions, theDeployment } from '../deployment.ts';
import { examples } from '../examples.ts';
import { exitCodes, ToolError } from '../failures.ts';
import { untilRestarted } from '../follow-deployment.ts';
import type { Run } from '../run.ts';

interface Options extends TargetOptions {
  wait: boolean;
}

export function restartCommand(program: Command, run: Run) {
  program
    .command('restart')
    .description('Restart an active deployment from the same build, with the current variables. It serves until the new process is ready.')
    .argument('[deployment|project]', 'an id (dep_…) or the name of a project')
    .option('--project <name>', "the project (default: this folder's)")
    .option('--env <environment>', 'production or preview', 'production')
    .option('--no-wait', 'return as soon as the server has accepted the request')
    .addHelpText('after', examples([['paddock restart chat', 'restart the deployment that serves the project']]))
    .action((target: string | undefined, options: Options, command: Command) =>
      run(command, (context) => restart(context, target, options)),
    );
}

async function restart(context: Context, target: string | undefined, options: Options): Promise<number> {
  const { terminal } = context;
  const server = await context.server();
  const found = await theDeployment(context, { server, given: target, options });
  const begun = await server.api.deployments.restart({ id: found.id });
  const name = `${found.id} (${found.project_name}, ${found.environment})`;
  if (!options.wait) {
    terminal.result(begun, `${name} is being restarted.`);
    return exitCodes.ok;
  }
  terminal.progress(`Restarting ${name} …`);
  const done = await untilRestarted(server, { id: found.id, signal: context.signal }, found.restarts);
  terminal.progress('');
  if (done.status !== 'active') throw new ToolError('restart_failed', `${name} is ${done.status}. See its log: paddock logs ${found.id}`);
  if (done.restarts > found.restarts)
    throw new ToolError(
      'restart_failed',
      `${name} crashed after the restart, and is restarted again. See its log: paddock logs ${found.id}`,
    );
  terminal.result(done, `Restarted ${name}.`);
  return exitCodes.ok;
}
