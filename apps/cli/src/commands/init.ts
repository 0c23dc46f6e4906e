import { readFile, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { projectNameProblem } from '@paddock/contract/rules';
import type { Command } from 'commander';
import { stringify } from 'yaml';
import { isFolder, isThere } from '../archive/presence.ts';
import { ask } from '../ask.ts';
import type { Context } from '../context.ts';
import { examples } from '../examples.ts';
import { ToolError, usage } from '../failures.ts';
import { nameFromFolder } from '../project.ts';
import type { Run } from '../run.ts';

interface Options {
  yes?: boolean;
  project?: string;
  start?: string;
  type?: string;
}
interface Found {
  start?: string;
  because: string;
}

const types = ['web', 'worker', 'job'];

export function initCommand(program: Command, run: Run) {
  program
    .command('init')
    .description('Write a paddock.yaml for this folder. An existing one is never changed.')
    .argument('[dir]', 'the folder of the agent', '.')
    .option('-y, --yes', 'accept the detected values without asking')
    .option('--project <name>', 'name of the project')
    .option('--start <command>', 'start command')
    .option('--type <type>', 'web, worker or job (default: detected from the running process)')
    .addHelpText(
      'after',
      examples([
        ['paddock init', 'ask for what cannot be detected'],
        ['paddock init -y --start "python agent.py"', 'without asking'],
      ]),
    )
    .action((dir: string, options: Options, command: Command) => run(command, (context) => init(context, dir, options)));
}

async function init(context: Context, dir: string, options: Options) {
  const { terminal } = context;
  const folder = resolve(context.cwd, dir);
  const path = join(folder, 'paddock.yaml');
  if (!(await isFolder(folder))) throw usage(`${dir} is no folder.`);
  if (await isThere(path)) throw alreadyThere(path);
  const found = await lookAt(folder);
  const asks = terminal.isInteractive && !options.yes;
  if (asks) terminal.note(found.because);
  const project = options.project ?? (asks ? await ask(context, 'Project', nameFromFolder(folder)) : nameFromFolder(folder));
  const problem = projectNameProblem(project);
  if (problem) throw usage(problem);
  const start = options.start ?? (asks && !found.start ? await ask(context, 'Start command (empty: found by the build)') : undefined);
  if (options.type !== undefined && !types.includes(options.type)) throw usage('--type is web, worker or job.');
  const manifest = { project, ...(start ? { start } : {}), ...(options.type ? { type: options.type } : {}) };
  const text = `# How Paddock runs this agent. All keys: docs/manifest.md of Paddock.\n${stringify(manifest)}`;
  try {
    await writeFile(path, text, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw alreadyThere(path);
    throw error;
  }
  terminal.result({ path, ...manifest }, `Wrote ${path}. Deploy it with: paddock deploy${dir === '.' ? '' : ` ${dir}`}`);
}

const alreadyThere = (path: string) => new ToolError('already_there', `${path} is there already and was not changed.`);

/** Settings that the build detects by itself need no line in the file. The build considers far more than this. */
async function lookAt(folder: string): Promise<Found> {
  const manifest = (await isThere(join(folder, 'package.json'))) ? await readFile(join(folder, 'package.json'), 'utf8') : undefined;
  if (manifest !== undefined) {
    const start = readStartScript(manifest);
    return start
      ? { start, because: `package.json starts it with "npm start" (${start}).` }
      : { because: 'package.json has no start script.' };
  }
  const python = await firstThere(folder, ['main.py', 'app.py', 'agent.py', 'server.py']);
  if (python) return { start: `python ${basename(python)}`, because: `${python} is a Python agent.` };
  if (await firstThere(folder, ['index.html'])) return { start: 'static', because: 'index.html makes it a static site.' };
  if (await firstThere(folder, ['Procfile', 'Dockerfile']))
    return { start: 'given', because: 'The start command is read from what is there.' };
  return { because: 'Nothing here tells how the agent starts.' };
}

function readStartScript(manifest: string): string | undefined {
  try {
    const { scripts } = JSON.parse(manifest) as { scripts?: Record<string, unknown> };
    return typeof scripts?.['start'] === 'string' ? scripts['start'] : undefined;
  } catch {
    return undefined; // the build reports what is wrong with it
  }
}

async function firstThere(folder: string, names: string[]): Promise<string | undefined> {
  for (const name of names) if (await isThere(join(folder, name))) return name;
  return undefined;
}
