import { posix } from 'node:path';
import { readScripts } from '../node/package-json.ts';
import { commandLine } from './commands.ts';
import { composeCommands } from './compose-commands.ts';
import type { DockerHints } from './docker/read.ts';
import { findModule, isSameServer } from './same-server.ts';
import { findFile, type ShellStep, shellSteps } from './shell-steps.ts';
import type { SourceTree } from './source-tree.ts';

export interface CommandsBefore {
  command: string[];
  because: string;
}

interface Started {
  start: string[];
  /** PYTHONPATH of the start, relative to the agent's folder. */
  pythonPath: string | undefined;
  docker: DockerHints | null;
}

interface Rooted {
  tree: SourceTree;
  roots: string[];
}

/**
 * The detected start behind the commands that the image, or else a compose file, runs before the same server: migrations, and scripts of the
 * archive. Null if there are none. Commands for other machines, such as those that wait for a database, are left out.
 */
export function withCommandsBefore(tree: SourceTree, { start, pythonPath, docker }: Started): CommandsBefore | null {
  const locate = docker?.locate ?? (() => null);
  const roots = ['', ...(pythonPath?.split(':') ?? []).map((folder) => posix.normalize(folder).replace(/^\.$/, ''))];
  const image = docker?.start;
  const entrypoint = docker?.last.entrypoint?.command;
  const sources = [
    ...(image ? [{ words: image.command, context: image.folder, because: `Dockerfile:${image.line} (${image.instruction})` }] : []),
    ...composeCommands(tree, Array.isArray(entrypoint) ? entrypoint : []),
  ];
  const detected = commandLine(start);
  for (const { words, context, because } of sources) {
    const steps = shellSteps(words, { tree, folder: context, locate }).map((step) => ({ ...step, words: withoutRunner(step.words) }));
    // Migrations may be a command of the server's own script: `manage.py migrate`.
    const server = steps.findLastIndex(
      ({ words: own, folder }) => folder !== null && isSameServer({ words: own, folder }, start, { tree, roots }),
    );
    const kept = steps
      .slice(0, Math.max(server, 0))
      .filter((step) => isKept(step, { tree, roots }) && !detected.includes(formatStep(step)));
    const lines = kept.map((step) => `${formatStep(step)}${step.stopsOnFailure ? ' &&' : ';'}`);
    if (lines.length === 0) continue;
    const line = [...new Set(lines)].join(' ');
    // The server takes the place of the shell, so that it gets the signal to end.
    return { command: ['/bin/sh', '-c', `${line} ${start[1] === '-c' ? '' : 'exec '}${detected}`], because };
  }
  return null;
}

function formatStep({ words, folder }: ShellStep): string {
  const line = commandLine(words);
  return folder === '' || folder === null ? line : `(${commandLine(['cd', folder])} && ${line})`;
}

const environments = new Set(['uv', 'poetry', 'pipenv', 'pdm', 'rye', 'hatch']);

/** Without programs that only choose the environment: `uv run --no-sync alembic` */
function withoutRunner(words: string[]): string[] {
  if (!environments.has(words[0] ?? '') || words[1] !== 'run') return words;
  const at = words.findIndex((word, place) => place > 1 && !word.startsWith('-'));
  return at === -1 ? words : words.slice(at);
}

const migrations: Record<string, RegExp> = {
  alembic: /^(?:-\S{1,20} \S{1,200} )?upgrade /,
  aerich: /^upgrade/,
  flask: /^(?:--app \S{1,200} )?db upgrade/,
  prisma: /^(?:migrate deploy|db push|db seed)/,
  'drizzle-kit': /^(?:migrate|push)/,
  knex: /^(?:migrate:latest|seed:run)/,
  typeorm: /^migration:run/,
  sequelize: /^db:(?:migrate|seed)/,
  'sequelize-cli': /^db:(?:migrate|seed)/,
};
/** Work that Paddock does itself, or that is not for a start. */
const doneElsewhere = /^(?:build|compile|install|generate|dev|start|serve|test|lint|format)\b/;
const ofDevelopment = /^(?:runserver|makemigrations|createsuperuser|shell|test)\b/;
/** A managed database is up before the agent starts, and other machines of a compose file are not here. */
const waits = /wait/i;
const word = /^[\w@%+=:,./ -]{1,300}$/;

function isKept({ words, isPlain, folder }: ShellStep, rooted: Rooted): boolean {
  if (!isPlain || folder === null || words.length === 0 || !words.every((each) => word.test(each) && !waits.test(each))) return false;
  const [program = '', ...rest] = /^(?:npx|bunx)$/.test(words[0] ?? '')
    ? words.slice(1).filter((each) => !/^(?:-y|--yes|--no-install)$/.test(each))
    : words;
  if (Object.hasOwn(migrations, program)) return migrations[program]?.test(rest.join(' ')) === true;
  if (/^python3?$/.test(program)) return isOwnPython(rest, { ...rooted, folder });
  if (/^(?:node|tsx|ts-node|bun)$/.test(program) && /\.[cm]?[jt]s$/.test(rest[0] ?? ''))
    return isFile(rest[0] ?? '', { ...rooted, folder });
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(program) || folder !== '') return false;
  const name = (rest[0] === 'run' ? rest[1] : rest[0]) ?? '';
  const scripts = readScripts(rooted.tree.read('package.json'));
  return Object.hasOwn(scripts, name) && !doneElsewhere.test(name) && !waits.test(scripts[name] ?? '');
}

const isFile = (path: string, { tree, folder }: Rooted & { folder: string }) =>
  findFile(path, { tree, folder, locate: () => null }) !== null || /^(?:\.\/)?(?:dist|build|out)\//.test(path);

function isOwnPython([first = '', second = '', ...rest]: string[], place: Rooted & { folder: string }): boolean {
  if (first !== '-m') return first.endsWith('.py') && isFile(first, place) && !(first.endsWith('manage.py') && ofDevelopment.test(second));
  if (Object.hasOwn(migrations, second)) return migrations[second]?.test(rest.join(' ')) === true;
  return findModule(second.replaceAll('.', '/'), { tree: place.tree, roots: [place.folder, ...place.roots] }) !== undefined;
}
