import { posix } from 'node:path';
import { parseCommand } from './commands.ts';
import type { SourceTree } from './source-tree.ts';

/** Programs whose `run` only chooses the environment of a command. An agent has one environment, so the command is started directly. */
const environments = new Set(['conda', 'mamba', 'micromamba', 'poetry', 'pipenv', 'pdm', 'rye', 'hatch']);
/** Their options that take the next word as value. */
const valued = new Set(['-n', '--name', '-p', '--prefix', '--cwd', '-e', '--env', '-C', '--directory', '--project']);
/** Runners in front of a command within a longer shell line. */
const inLine = /(^|[;&|]\s{0,20}|\bexec\s{1,20})(?:poetry|pipenv|pdm|rye|hatch)\s{1,20}run\s{1,20}(-?)/g;
const maxLine = 4096;

/**
 * Removes the program that chooses the environment of a command: `conda run -n desk python app.py`, `poetry run …`, `pm2-runtime app.js`.
 * Null for a process manager that reads its programs from its own file.
 */
export function withoutEnvironment(command: string[], tree: SourceTree): string[] | null {
  if (command[0] === '/bin/sh' && command[1] === '-c' && command.length === 3) {
    const line = command[2] ?? '';
    const short =
      line.length > maxLine ? line : line.replaceAll(inLine, (whole, before: string, dash: string) => (dash === '' ? before : whole));
    return short === line ? command : parseCommand(short);
  }
  const program = posix.basename(command[0] ?? '');
  if (program === 'pm2-runtime') return managed(command.slice(1), tree);
  if (!environments.has(program)) return command;
  const run = command.indexOf('run');
  if (run === -1 || command.slice(1, run).some((word) => !word.startsWith('-'))) return command;
  const rest = withoutOptions(command.slice(run + 1));
  return rest.length === 0 ? command : rest;
}

function withoutOptions(words: string[]): string[] {
  let at = 0;
  while (words[at]?.startsWith('-')) at += valued.has(words[at] ?? '') ? 2 : 1;
  return words.slice(at);
}

/**
 * Removes a server's reloader, which survives a crash of the program and watches files that never change here: `fastapi dev` becomes
 * `fastapi run`, and `--reload` is removed.
 */
export function withoutReloader(command: string[]): string[] {
  const at = command.findIndex((word) => /^(?:.*\/)?(?:fastapi|uvicorn|hypercorn|gunicorn)$/.test(word));
  if (at === -1 || command[0] === '/bin/sh') return command;
  const kept = command.filter((word, place) => place <= at || word !== '--reload');
  return kept[at] === 'fastapi' && kept[at + 1] === 'dev' ? kept.with(at + 1, 'run') : kept;
}

/** `pm2-runtime start app.js -- --port 80`, `pm2-runtime npm -- start` */
function managed(words: string[], tree: SourceTree): string[] | null {
  const [program = '', ...rest] = words[0] === 'start' ? words.slice(1) : words;
  if (program === '' || program.startsWith('-') || /\.json$|\.ya?ml$|config\.[cm]?js$/.test(program)) return null;
  const dashes = rest.indexOf('--');
  const given = dashes === -1 ? [] : rest.slice(dashes + 1);
  if (/\.[cm]?js$/.test(program)) return ['node', program, ...given];
  if (program.endsWith('.py')) return ['python', program, ...given];
  return tree.has(program) ? null : [program, ...given];
}
