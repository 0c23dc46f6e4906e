import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { theDeployment } from '../deployment.ts';
import { examples } from '../examples.ts';
import { usage } from '../failures.ts';
import { outcome } from '../outcome.ts';
import type { Run } from '../run.ts';

interface Options {
  project?: string;
  wait: boolean;
}

export function promoteCommand(program: Command, run: Run) {
  program
    .command('promote')
    .description("Deploy a preview's code to production, with production's variables and databases.")
    .argument('[deployment|project]', 'the preview (dep_…), or the name of a project: the preview that serves')
    .option('--project <name>', "the project (default: this folder's)")
    .option('--no-wait', 'return as soon as the server has accepted the request')
    .addHelpText(
      'after',
      examples([
        ['paddock deploy --env preview && paddock promote', 'try it first, then serve it'],
        ['paddock promote dep_…', 'the code of this preview'],
      ]),
    )
    .action((target: string | undefined, options: Options, command: Command) =>
      run(command, (context) => promote(context, target, options)),
    );
}

async function promote(context: Context, target: string | undefined, { project, wait }: Options) {
  const server = await context.server();
  const options = { env: 'preview', ...(project === undefined ? {} : { project }) };
  const { id, environment } = await theDeployment(context, { server, given: target, options });
  if (environment !== 'preview') throw usage(`${id} is in ${environment} already. To go back to it: paddock rollback ${id}`);
  const started = await server.api.deployments.redeploy({ id, environment: 'production' });
  context.terminal.note(`Promoting ${id} to production as ${started.id}`);
  return outcome(context, { server, started, wait });
}
