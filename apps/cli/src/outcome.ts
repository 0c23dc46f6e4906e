import type { Deployment, DeploymentDetail } from '@paddock/contract';
import type { Context, Server } from './context.ts';
import { exitCodes } from './failures.ts';
import { followDeployment } from './follow-deployment.ts';
import { otherStartLines, otherStarts } from './other-starts.ts';
import { clean } from './terminal.ts';

interface Started {
  server: Server;
  started: Deployment;
  /** From --wait. */
  wait: boolean;
}

/** Follows a new deployment to its end, unless --no-wait is given. Prints the address on stdout; returns 1 if the deployment failed. */
export async function outcome(context: Context, { server, started, wait }: Started): Promise<number> {
  const { terminal } = context;
  if (!wait) {
    terminal.note(`The deployment was accepted. See how it goes: paddock status ${started.id}`);
    terminal.result(started, started.id);
    return exitCodes.ok;
  }
  const { notePaint: paint } = terminal;
  const done = await followDeployment(context, server, started.id);
  const failed = done.status === 'failed' || (done.status === 'stopped' && done.error_message !== null);
  // The log above has the lines that the message quotes; `paddock status` shows both.
  const message = (done.error_message ?? 'no reason was given').split('\n\nLast lines:')[0]!;
  if (failed) terminal.note(paint.red(clean(`Failed: ${message}`)));
  else if (done.status === 'stopped') terminal.note('The deployment was stopped before it ran.');
  else if (done.status === 'completed' && done.error_message !== null) terminal.note(clean(`Completed. ${done.error_message}`));
  else terminal.note(paint.green(done.status === 'completed' ? 'Completed.' : `Active. Log: paddock logs -f ${done.id}`));
  noteOtherStarts(context, done, failed);
  terminal.result(done, pickResult(done));
  return done.status === 'active' || done.status === 'completed' ? exitCodes.ok : exitCodes.failed;
}

/** Prints all other starts after a failure, and only their number for a running deployment. */
function noteOtherStarts({ terminal }: Context, done: DeploymentDetail, failed: boolean) {
  const choices = otherStarts(done);
  if (choices.length === 0) return;
  if (!failed) return terminal.note(`Other ways to start it: ${choices.length}. See them: paddock status ${done.id}`);
  terminal.note(clean(['It could be deployed with:', ...otherStartLines(choices).map((line) => `  ${line}`)].join('\n')));
}

/** The address, or the id of a deployment without an address; empty after a failure. */
function pickResult(done: DeploymentDetail): string {
  if (done.status === 'active') return addressOf(done) ?? done.id;
  return done.status === 'completed' ? done.id : '';
}

/** The address of an agent; a worker and a job have no address. */
export const addressOf = ({ url, deployment_url }: DeploymentDetail | Deployment) => url ?? deployment_url;
