import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { type TargetOptions, theDeployment } from '../deployment.ts';
import { examples } from '../examples.ts';
import { notFound, ToolError } from '../failures.ts';
import { openBrowser } from '../login/open-browser.ts';
import { addressOf } from '../outcome.ts';
import type { Run } from '../run.ts';

interface Options extends TargetOptions {
  console?: boolean;
}

export function openCommand(program: Command, run: Run) {
  program
    .command('open')
    .description('Open the agent in the browser, or its page in the console.')
    .argument('[deployment|project]', 'an id (dep_…) or the name of a project')
    .option('--console', 'the page of the deployment in the console')
    .option('--project <name>', "the project (default: this folder's)")
    .option('--env <environment>', 'production or preview', 'production')
    .addHelpText(
      'after',
      examples([
        ['paddock open chat', 'open the agent'],
        ['paddock open --console', 'open its stages and log in the console'],
      ]),
    )
    .action((target: string | undefined, options: Options, command: Command) => run(command, (context) => open(context, target, options)));
}

async function open(context: Context, target: string | undefined, options: Options) {
  const server = await context.server();
  const deployment = await theDeployment(context, { server, given: target, options });
  const address = options.console ? `${server.url}/deployments/${deployment.id}` : addressOf(deployment);
  if (!address) throw notFound(`${deployment.id} has no address: it is ${deployment.status}.`);
  // The address is passed to a program of this machine, so it is checked.
  if (!/^https?:\/\/[\w.:[\]-]+(\/[\w./-]*)?$/.test(address))
    throw new ToolError('address_refused', 'The server returned an invalid address.');
  const opened = !context.terminal.json && (await openBrowser(address, context.env));
  context.terminal.result({ url: address }, address);
  if (!opened) context.terminal.note('There is no browser here: open the address yourself.');
}
