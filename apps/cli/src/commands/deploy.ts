import { resolve } from 'node:path';
import { databaseTypes } from '@paddock/contract';
import { pluralWord } from '@paddock/contract/plural';
import { type Command, Option } from 'commander';
import { branchInCi, type Commit } from '../archive/commit.ts';
import { leftBehind } from '../archive/left-behind.ts';
import { listFiles, megabytes } from '../archive/list-files.ts';
import { packFiles } from '../archive/pack.ts';
import { isFolder } from '../archive/presence.ts';
import type { Context, Server } from '../context.ts';
import { parseEnvironment } from '../deployment.ts';
import { examples } from '../examples.ts';
import { usage } from '../failures.ts';
import { refuseMistypedProject } from '../new-project.ts';
import { outcome } from '../outcome.ts';
import { findProject, projectNameFor, rememberProject } from '../project.ts';
import type { Run } from '../run.ts';
import { type DeploymentInput, sendArchive } from '../send-archive.ts';
import { clean } from '../terminal.ts';

interface Options {
  project?: string;
  create: boolean;
  env?: string;
  database: 'managed' | 'byo' | 'none';
  redisUrl?: string;
  postgresUrl?: string;
  root?: string;
  start?: string;
  packages?: string;
  keep?: boolean;
  message?: string;
  include: string[];
  wait: boolean;
}
type Brought = Pick<DeploymentInput, 'database_mode' | 'redis_url' | 'postgres_url'>;

export function deployCommand(program: Command, run: Run) {
  program
    .command('deploy')
    .description('Deploy a folder: pack and upload it, follow the build, and print the address.')
    .argument('[dir]', 'the folder of the agent', '.')
    .option(
      '--project <name>',
      'an existing project (default: the one in paddock.yaml, the one last deployed to, or one named after the folder, created if needed)',
    )
    .option('--create', 'create the project given by --project if it does not exist', false)
    .option('--env <environment>', 'production or preview', 'production')
    .addOption(
      new Option('--database <mode>', 'databases of the agent: managed by Paddock, your own, or none')
        .choices(['managed', 'byo', 'none'])
        .default('none'),
    )
    .option('--redis-url <url>', 'Redis for --database byo (default: PADDOCK_REDIS_URL)')
    .option('--postgres-url <url>', 'PostgreSQL for --database byo (default: PADDOCK_POSTGRES_URL)')
    .option('--root <folder>', 'the folder of the agent within the uploaded files')
    .option('--start <command>', 'start command; overrides paddock.yaml and detection')
    .option('--packages <names>', 'packages to install in addition to the dependencies, such as "ddgs openai>=1"')
    .option(
      '--keep',
      'also use --root, --start and --packages for later deployments of the project; without any of them, forget the stored ones',
    )
    .option('-m, --message <text>', 'what this deployment is about (default: the first line of the commit message)')
    .option(
      '--include <file>',
      'also send a file that looks like a secret; may be repeated',
      (file: string, all: string[]) => [...all, file],
      [],
    )
    .option('--no-wait', 'return as soon as the code is uploaded')
    .addHelpText(
      'after',
      examples([
        ['paddock deploy', 'this folder, to production'],
        ['paddock deploy agents/chat --project chat --create', 'another folder, to a project that may not exist yet'],
        ['paddock deploy --database managed', 'with PostgreSQL and Redis of its own'],
        ['paddock deploy --json --no-wait', 'for a script that polls for the result itself'],
      ]) +
        '\nNot uploaded: files matched by .gitignore or .paddockignore (which takes precedence), .git, node_modules, virtual environments and .env files,\nand files that look like secrets (keys, credentials.json …) unless git holds them. Pass URLs with passwords through the environment: command lines are stored in the shell history.',
    )
    .action((dir: string, options: Options, command: Command) => run(command, (context) => deploy(context, dir, options)));
}

async function deploy(context: Context, dir: string, options: Options) {
  const { terminal, signal } = context;
  const folder = resolve(context.cwd, dir);
  const environment = parseEnvironment(options.env);
  const databases = resolveDatabases(context, options);
  if (!(await isFolder(folder))) throw usage(`${dir} is no folder.`);
  const server = await context.server();
  await checkBrought(context, server, databases);
  const name = await projectNameFor(context, { server, folder, given: options.project });
  if (options.project !== undefined) await refuseMistypedProject(context, { server, name, create: options.create });

  terminal.progress('Looking at the files …');
  const list = await listFiles(folder, signal, options.include);
  for (const note of leftBehind(list, name)) terminal.note(note);
  const file = await packFiles(list.files, (bytes) => terminal.progress(`Packing … ${megabytes(bytes)}`), signal);

  const known = await findProject(server, name);
  terminal.note(
    `Deploying ${list.files.length} ${pluralWord(list.files.length, 'file')} (${megabytes(file.size)}) to ${name}, ${environment}`,
  );
  // A missing project is created with the deployment: a refused deployment leaves no empty project.
  const input: DeploymentInput = { project_name: name, environment, ...databases };
  if (options.root) input.root = options.root;
  if (options.start) input.start = options.start;
  if (options.packages) input.packages = options.packages;
  if (options.keep) input.keep = 'true';
  Object.assign(input, originFields(context, list.commit, options.message));
  const deployment = await sendArchive(server, {
    input,
    file,
    file_name: `${name}.zip`,
    signal,
    onProgress: (share) =>
      terminal.progress(share < 1 ? `Sending … ${Math.floor(share * 100)} % of ${megabytes(file.size)}` : 'Sent. The server looks at it …'),
    onRetry: () => terminal.note('The connection broke. Sending again …'),
  }).finally(() => terminal.progress(''));
  if (!known) terminal.note(`Project ${deployment.project_name} was made.`);
  await rememberProject(context, { server, folder, name: deployment.project_name });
  return outcome(context, { server, started: deployment, wait: options.wait });
}

/** The commit, and the message given with --message instead of its own. */
function originFields({ env }: Context, commit: Commit, message = commit.message): Commit {
  const commit_branch = commit.commit_branch ?? (commit.commit_sha ? branchInCi(env)?.slice(0, 255) : undefined);
  return { ...commit, ...(message ? { message } : {}), ...(commit_branch ? { commit_branch } : {}) };
}

function resolveDatabases({ env }: Context, { database, redisUrl, postgresUrl }: Options): Brought {
  const redis_url = redisUrl ?? env['PADDOCK_REDIS_URL'];
  const postgres_url = postgresUrl ?? env['PADDOCK_POSTGRES_URL'];
  if (database !== 'byo') {
    if (redisUrl || postgresUrl) throw usage('--redis-url and --postgres-url belong to --database byo.');
    return { database_mode: database };
  }
  const brought: Brought = { database_mode: database };
  if (redis_url) brought.redis_url = redis_url;
  if (postgres_url) brought.postgres_url = postgres_url;
  return brought;
}

/** Checks addresses before anything is packed: a refused address is an error, an address that does not answer only a note. */
async function checkBrought({ terminal, signal }: Context, { api }: Server, brought: Brought) {
  const given = { postgresql: brought.postgres_url, redis: brought.redis_url };
  for (const type of databaseTypes) {
    const url = given[type];
    if (url === undefined) continue;
    const { reachable, message } = await api.databases.check({ type, url }, { signal });
    if (!reachable) terminal.note(terminal.notePaint.yellow(clean(message)));
  }
}
