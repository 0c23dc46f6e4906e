import { type DeploymentDetail, protocolText } from '@paddock/contract';
import { commitText } from '@paddock/contract/commit-text';
import { ApiError } from '@paddock/contract/errors';
import type { Command } from 'commander';
import type { Context, Server } from '../context.ts';
import { type TargetOptions, theDeployment } from '../deployment.ts';
import { examples } from '../examples.ts';
import { otherStartLines, otherStarts } from '../other-starts.ts';
import type { Run } from '../run.ts';
import { clean } from '../terminal.ts';

export function statusCommand(program: Command, run: Run) {
  program
    .command('status')
    .description('Show the status of a deployment (default: the one that serves the project).')
    .argument('[deployment|project]', 'an id (dep_…) or the name of a project')
    .option('--project <name>', "the project (default: this folder's)")
    .option('--env <environment>', 'production or preview', 'production')
    .addHelpText(
      'after',
      examples([
        ['paddock status', 'what this folder runs'],
        ['paddock status chat --env preview', 'the preview of a project'],
      ]),
    )
    .action((target: string | undefined, options: TargetOptions, command: Command) =>
      run(command, async (context) => status(context, target, options)),
    );
}

async function status(context: Context, target: string | undefined, options: TargetOptions) {
  const server = await context.server();
  const { id } = await theDeployment(context, { server, given: target, options });
  const deployment = await server.api.deployments.get({ id });
  context.terminal.result(deployment, clean(describe(deployment, await setVariables(server, deployment))));
}

/** Names of the environment's current variables; null for keys that may not list them. */
async function setVariables({ api }: Server, { plan, databases, project_id, environment }: DeploymentDetail): Promise<string[] | null> {
  if (!plan?.asked_variables?.length) return [];
  try {
    const { variables } = await api.variables.list({ project_id, environment });
    return [...variables.map(({ key }) => key), ...databases.map(({ env_var }) => env_var)];
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return null;
    throw error;
  }
}

function describe(d: DeploymentDetail, set: string[] | null): string {
  const plan = d.plan ? [d.plan.framework, d.plan.language, d.plan.version].filter(Boolean).join(' ') : undefined;
  const rows: [string, string | null | undefined][] = [
    ['Deployment', d.id],
    ['Project', `${d.project_name}, ${d.environment}`],
    ['Status', d.is_current ? `${d.status}, serves the address` : d.status],
    [d.status === 'completed' ? 'Warning' : 'Error', d.error_message],
    ['Message', d.message],
    ['Commit', commitText(d)],
    ['Address', d.url],
    ['Own address', d.deployment_url],
    ['Agent', [d.agent_type, plan].filter(Boolean).join(', ')],
    ['Speaks', d.protocols?.map(protocolText).join(', ')],
    ['Databases', d.databases.map(({ env_var, type, status }) => `${env_var} (${type}, ${status})`).join(', ')],
    ['Needs', asked(d, set, true)],
    ['Optional', asked(d, set, false)],
    ['Or start', otherStartLines(otherStarts(d)).join(`\n${' '.repeat(12)}`)],
    ['Restarting', d.restart_at],
    ['Restarts', d.restarts ? `${d.restarts} within 10 minutes` : ''],
    ['Created', d.created_at],
    ['Deployed', d.deployed_at],
    ['Ended', d.ended_at],
  ];
  return rows
    .filter(([, value]) => value)
    .map(([label, value]) => `${label.padEnd(12)}${value}`)
    .join('\n');
}

/** Variables that the archive reads, with their places: `A_KEY (main.py:3, not set)`. */
const asked = ({ plan }: DeploymentDetail, set: string[] | null, wanted: boolean) =>
  (plan?.asked_variables ?? [])
    .filter(({ required }) => required === wanted)
    .map(({ name, at }) => `${name} (${at}${set ? `, ${set.includes(name) ? 'set' : 'not set'}` : ''})`)
    .join(', ');
