import { readToml } from '../python/pyproject.ts';
import type { SourceTree } from './source-tree.ts';

type Table = Record<string, unknown>;
const table = (value: unknown): Table => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Table) : {});

/** Names of tasks that run an agent, likeliest first. Tasks with other names build, test or check it. */
const running = ['start', 'serve', 'server', 'prod', 'production', 'web', 'api', 'run', 'app', 'bot', 'agent', 'main', 'dev'];
/** Paths of the tables in which tools keep their tasks: pdm, poe, taskipy, rye and hatch in pyproject.toml, pipenv in its own file. */
const places: Record<string, string[][]> = {
  'pyproject.toml': [
    ['tool', 'pdm', 'scripts'],
    ['tool', 'poe', 'tasks'],
    ['tool', 'taskipy', 'tasks'],
    ['tool', 'rye', 'scripts'],
    ['tool', 'hatch', 'envs', 'default', 'scripts'],
  ],
  Pipfile: [['scripts']],
};
const maxLine = 1000;

/** The command lines of tasks that run an agent, each with its file. A broken file is ignored here; the installation reports it. */
export function taskLines(tree: SourceTree): { file: string; line: string }[] {
  return Object.entries(places).flatMap(([file, paths]) => {
    const root = parsed(tree.read(file), file);
    const tasks = Object.assign({}, ...paths.map((path) => path.reduce((at, key) => table(at[key]), root))) as Table;
    return running.flatMap((name) => {
      const line = Object.hasOwn(tasks, name) ? readTaskLine(tasks[name]) : undefined;
      return line === undefined || line.length > maxLine ? [] : { file, line };
    });
  });
}

function parsed(source: string | null, path: string): Table {
  try {
    return source === null ? {} : readToml(source, path);
  } catch {
    return {};
  }
}

function readTaskLine(task: unknown): string | undefined {
  const { cmd, shell } = table(task);
  const line = typeof task === 'string' ? task : (cmd ?? shell);
  return typeof line === 'string' ? line : undefined;
}
