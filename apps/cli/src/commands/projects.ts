import type { Project } from '@paddock/contract';
import { projectNameProblem } from '@paddock/contract/rules';
import type { Command } from 'commander';
import { confirmByName } from '../ask.ts';
import type { Context } from '../context.ts';
import { examples } from '../examples.ts';
import { exitCodes, ToolError, usage } from '../failures.ts';
import { everyProject, theProject } from '../project.ts';
import type { Run } from '../run.ts';
import { table } from '../terminal.ts';

export function projectsCommand(program: Command, run: Run) {
  const projects = program.command('projects').description('List, create, rename and delete projects.');
  projects
    .command('list', { isDefault: true })
    .alias('ls')
    .description('List projects, newest first.')
    .action((_options: object, command: Command) => run(command, list));
  projects
    .command('create')
    .description('Create a project.')
    .argument('<name>', 'lowercase letters, digits and hyphens; becomes part of its address')
    .option('--description <text>', 'what it is for')
    .addHelpText('after', examples([['paddock projects create chat --description "Answers questions"', 'a new project']]))
    .action((name: string, options: { description?: string }, command: Command) =>
      run(command, (context) => create(context, name, options.description)),
    );
  projects
    .command('rename')
    .description('Rename a project. Its address stays.')
    .argument('<name>', 'name or id (prj_…)')
    .argument('<new>', 'lowercase letters, digits and hyphens')
    .addHelpText('after', examples([['paddock projects rename chat chat-old', 'its address stays that of chat']]))
    .action((...[name, wanted, , command]: [string, string, object, Command]) =>
      run(command, (context) => rename(context, { name, wanted })),
    );
  projects
    .command('delete')
    .description('Delete a project: stops its agents, cancels its builds, and deletes its addresses, logs, stored code and databases.')
    .argument('<name>', 'name or id (prj_…)')
    .option('-y, --yes', 'skip the confirmation')
    .action((name: string, options: { yes?: boolean }, command: Command) =>
      run(command, (context) => remove(context, name, options.yes === true)),
    );
}

async function list(context: Context) {
  const { terminal } = context;
  const found: Project[] = [];
  for await (const project of everyProject(await context.server())) found.push(project);
  const rows = found.map(({ name, deployment_count, created_at, url }) => [name, String(deployment_count), created_at.slice(0, 10), url]);
  const human = rows.length ? table(['PROJECT', 'DEPLOYMENTS', 'CREATED', 'ADDRESS'], rows, terminal) : 'No projects. Run: paddock deploy';
  terminal.result({ projects: found }, human);
}

async function create(context: Context, name: string, description: string | undefined) {
  const problem = projectNameProblem(name);
  if (problem) throw usage(problem);
  const { api } = await context.server();
  const project = await api.projects.create({ name, ...(description === undefined ? {} : { description }) });
  context.terminal.result(project, `Created ${project.name}. It will answer at ${project.url}`);
}

async function rename(context: Context, { name, wanted }: { name: string; wanted: string }) {
  const problem = projectNameProblem(wanted);
  if (problem) throw usage(problem);
  const server = await context.server();
  const found = await theProject(context, name, server);
  const project = await server.api.projects.update({ id: found.id, name: wanted });
  context.terminal.result(project, `Renamed ${found.name} to ${project.name}. It answers at ${project.url}`);
}

async function remove(context: Context, nameOrId: string, yes: boolean) {
  const server = await context.server();
  const { id, name } = await theProject(context, nameOrId, server);
  const what = `This deletes ${name} with its agents, addresses, variables, logs, stored code, and databases with their backups. It cannot be undone.`;
  if (!(await confirmByName(context, { what, name, yes })))
    throw new ToolError('not_confirmed', 'Nothing was deleted.', { exit: exitCodes.failed });
  await server.api.projects.delete({ id });
  context.terminal.result({ deleted: id }, `Deleted ${name}.`);
}
