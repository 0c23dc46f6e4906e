import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { type TargetOptions, theDeployment } from '../deployment.ts';
import { examples } from '../examples.ts';
import { outcome } from '../outcome.ts';
import type { Run } from '../run.ts';

interface Options extends TargetOptions {
  root?: string;
  start?: string;
  packages?: string;
  wait: boolean;
}

export function redeployCommand(program: Command, run: Run) {
  program
    .command('redeploy')
    .description('Deploy the same code again, with the current variables.')
    .argument('[deployment|project]', 'an id (dep_…) or the name of a project')
    .option('--root <folder>', "another folder of the archive; kept for the project's later uploads, as are --start and --packages")
    .option('--start <command>', 'another start command')
    .option('--packages <names>', 'packages that the archive misses')
    .option('--project <name>', "the project (default: this folder's)")
    .option('--env <environment>', 'production or preview', 'production')
    .option('--no-wait', 'return as soon as the server has accepted the request')
    .addHelpText(
      'after',
      examples([
        ['paddock redeploy', 'with the variables that were set since'],
        ['paddock redeploy dep_… --packages "ddgs"', 'with a package that it misses'],
      ]),
    )
    .action((target: string | undefined, options: Options, command: Command) =>
      run(command, (context) => redeploy(context, target, options)),
    );
}

async function redeploy(context: Context, target: string | undefined, options: Options) {
  const server = await context.server();
  const { id } = await theDeployment(context, { server, given: target, options });
  const { root, start, packages, wait } = options;
  const changes = Object.fromEntries(Object.entries({ root, start, packages }).filter(([, value]) => value !== undefined));
  const started = await server.api.deployments.redeploy({ id, ...changes });
  context.terminal.note(`Deploying ${id} again as ${started.id}`);
  return outcome(context, { server, started, wait });
}
