import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseEnv } from '@paddock/contract/parse-env';
import { variableKeyProblem } from '@paddock/contract/rules';
import type { Command } from 'commander';
import { readStdin } from '../ask.ts';
import type { Context } from '../context.ts';
import { parseEnvironment, type TargetOptions } from '../deployment.ts';
import { examples } from '../examples.ts';
import { usage } from '../failures.ts';
import { theProject } from '../project.ts';
import type { Run } from '../run.ts';
import { table } from '../terminal.ts';

interface SetOptions extends TargetOptions {
  file?: string;
  build?: boolean;
}
interface Value {
  key: string;
  value: string;
}

const atOnce = 100;

export function envCommand(program: Command, run: Run) {
  const env = program.command('env').description('Set, list and remove the variables and secrets of a project.');
  const target = (command: Command) =>
    command
      .option('--project <name>', "the project (default: this folder's)")
      .option('--env <environment>', 'production or preview', 'production');
  target(
    env
      .command('set')
      .description('Set variables; they take effect with the next deployment.')
      .argument('[assignments...]', 'KEY=VALUE, or KEY to read the value from stdin'),
  )
    .option('--file <path>', 'read them from a .env file, or - for stdin')
    .option('--build', 'also pass them to build steps')
    .addHelpText(
      'after',
      examples([
        ['paddock env set --file .env', 'all variables of a file'],
        ['paddock env set MODEL_KEY < key.txt', 'a secret, without leaving it in the shell history'],
        ['paddock env set LEVEL=debug --env preview', 'a value that is not secret'],
      ]),
    )
    .action((assignments: string[], options: SetOptions, command: Command) =>
      run(command, (context) => setVariables(context, assignments, options)),
    );
  target(env.command('list').alias('ls').description('List the names of variables; values are never returned.')).action(
    (options: TargetOptions, command: Command) => run(command, (context) => listVariables(context, options)),
  );
  target(env.command('unset').description('Remove variables.').argument('<keys...>', 'their names')).action(
    (keys: string[], options: TargetOptions, command: Command) => run(command, (context) => unsetVariables(context, keys, options)),
  );
}

async function setVariables(context: Context, assignments: string[], options: SetOptions) {
  const environment = parseEnvironment(options.env);
  const values = options.file === undefined ? await assigned(context, assignments) : await fromFile(context, options.file, assignments);
  for (const { key } of values) {
    const problem = variableKeyProblem(key);
    if (problem) throw usage(`${key || 'KEY=VALUE'}: ${problem}`);
  }
  if (assignments.some((each) => each.includes('=')))
    context.terminal.note('Values on the command line end up in your shell history. For secrets: paddock env set KEY < file, or --file.');
  const server = await context.server();
  const { id, name } = await theProject(context, options.project, server);
  let listed = { variables: [] as unknown[] };
  for (let at = 0; at < values.length; at += atOnce) {
    const variables = values.slice(at, at + atOnce).map((each) => ({ ...each, available_at_build: options.build === true }));
    listed = await server.api.variables.set({ project_id: id, environment, variables });
  }
  const names = values.map(({ key }) => key).join(', ');
  context.terminal.result(
    listed,
    `Set ${names} of ${name} (${environment}). The next deployment has ${values.length === 1 ? 'it' : 'them'}.`,
  );
}

async function assigned(context: Context, assignments: string[]): Promise<Value[]> {
  if (assignments.length === 0) throw usage('Give KEY=VALUE, KEY with the value on stdin, or --file.');
  const bare = assignments.filter((each) => !each.includes('='));
  if (bare.length > 1) throw usage('Only one value can be read from stdin. For several: --file.');
  // The single newline that echo and editors add is not part of the value.
  const piped = bare.length ? (await readStdin(context)).replace(/\r?\n$/, '') : '';
  return assignments.map((each) => {
    const at = each.indexOf('=');
    return at < 0 ? { key: each, value: piped } : { key: each.slice(0, at), value: each.slice(at + 1) };
  });
}

async function fromFile(context: Context, path: string, assignments: string[]): Promise<Value[]> {
  if (assignments.length) throw usage('Give either --file or KEY=VALUE.');
  const text =
    path === '-'
      ? await readStdin(context)
      : await readFile(resolve(context.cwd, path), 'utf8').catch((error: Error) =>
          Promise.reject(usage(`${path} cannot be read: ${error.message}`)),
        );
  const { variables, problems } = parseEnv(text);
  if (problems.length) throw usage(problems.map(({ line, message }) => `${path}:${line}: ${message}`).join('\n'));
  if (variables.length === 0) throw usage(`${path} has no variables.`);
  return variables;
}

async function listVariables(context: Context, options: TargetOptions) {
  const server = await context.server();
  const { id, name } = await theProject(context, options.project, server);
  const environment = parseEnvironment(options.env);
  const listed = await server.api.variables.list({ project_id: id, environment });
  const rows = listed.variables.map(({ key, available_at_build, updated_at }) => [key, available_at_build ? 'yes' : 'no', updated_at]);
  const { terminal } = context;
  terminal.result(
    listed,
    rows.length ? table(['NAME', 'AT BUILD', 'CHANGED'], rows, terminal) : `${name} (${environment}) has no variables.`,
  );
}

async function unsetVariables(context: Context, keys: string[], options: TargetOptions) {
  const server = await context.server();
  const { id, name } = await theProject(context, options.project, server);
  const environment = parseEnvironment(options.env);
  for (const key of keys) await server.api.variables.remove({ project_id: id, environment, key });
  context.terminal.result({ removed: keys }, `Removed ${keys.join(', ')} of ${name} (${environment}).`);
}
