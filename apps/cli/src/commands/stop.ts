import { setTimeout as sleep } from 'node:timers/promises';
import type { Deployment } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import type { Command } from 'commander';
import type { Context, Server } from '../context.ts';
import { type TargetOptions, theDeployment } from '../deployment.ts';
import { examples } from '../examples.ts';
import { ToolError } from '../failures.ts';
import { withRetries } from '../retry.ts';
import type { Run } from '../run.ts';

/** A start may take 120 seconds, unless the manifest allows more. */
const waitS = 600;

export function stopCommand(program: Command, run: Run) {
  program
    .command('stop')
    .description('Stop an active deployment, or cancel one that is queued or building.')
    .argument('[deployment|project]', 'an id (dep_…) or the name of a project')
    .option('--project <name>', "the project (default: this folder's)")
    .option('--env <environment>', 'production or preview', 'production')
    .addHelpText(
      'after',
      examples([
        ['paddock stop chat', 'stop the deployment that serves the project'],
        ['paddock stop dep_…', 'stop or cancel this deployment'],
      ]),
    )
    .action((target: string | undefined, options: TargetOptions, command: Command) =>
      run(command, (context) => stop(context, target, options)),
    );
}

async function stop(context: Context, target: string | undefined, options: TargetOptions) {
  const server = await context.server();
  const found = await theDeployment(context, { server, given: target, options });
  const ended = await endDeployment(context, server, { found, waitS });
  const word = found.status === 'active' ? 'Stopped' : 'Cancelled';
  context.terminal.result(ended, `${word} ${found.id} (${found.project_name}, ${found.environment}).`);
}

/** Cancels a queued or building deployment, stops a running one. A starting deployment allows neither until it runs or has failed. */
export async function endDeployment(
  { terminal, signal }: Context,
  { api: { deployments } }: Server,
  { found, waitS }: { found: Deployment; waitS: number },
): Promise<Deployment> {
  const { id } = found;
  let { status } = found;
  for (let seconds = 0; seconds < waitS; seconds++) {
    try {
      if (status === 'queued' || status === 'building') return await deployments.cancel({ id });
      if (status !== 'deploying') return await deployments.stop({ id });
    } catch (error) {
      const hasMoved = error instanceof ApiError && /^deployment_not_(cancellable|active)$/.test(error.code);
      const now = await deployments.get({ id });
      if (!hasMoved || now.status === status) throw error;
    }
    terminal.progress('It is starting. It is stopped as soon as it runs …');
    await sleep(1000, undefined, { signal });
    status = (await withRetries(() => deployments.get({ id }), signal)).status;
  }
  throw new ToolError('still_starting', `${id} is still starting. Stop it once it runs.`);
}
