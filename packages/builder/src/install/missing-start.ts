import { posix } from 'node:path';
import { StrangeFile, statBelow, walkBelow } from '@paddock/safe-files';
import type { Plan } from '../plan.ts';

/** Maximum entries of a folder to search for a built file: the search blocks the server. */
const maxEntries = 5_000;
const endings = ['', '.js', '.cjs', '.mjs', '/index.js', '/package.json'];
const withValue = new Set(['-r', '--require', '--import', '--loader', '--experimental-loader', '--env-file', '-C', '--conditions']);

/**
 * Changes the start of a finished build whose file is not there: to the source, as the author's development script runs it, or to the only
 * built file of that name. Returns the warning that says so; undefined if the start is kept.
 */
export function replaceMissingStart(plan: Plan, appDir: string): string | undefined {
  const folder = posix.join(plan.root, plan.start_in ?? '');
  const file = findProgram(plan.start);
  if (file === undefined || isThere(appDir, posix.join(folder, file))) return undefined;
  const source = plan.source_start;
  const built = source === undefined ? findBuilt(appDir, folder, file) : undefined;
  const withBuilt = (path: string) => plan.start.map((word) => (word.replace(/^\.\//, '') === file ? path : word));
  const command = source?.command ?? (built === undefined ? undefined : withBuilt(built));
  if (command === undefined) return undefined;
  const because = source?.because ?? `${built}, which the build made`;
  const own = plan.reasons.find(({ what }) => what === 'start');
  const before = plan.start.join(' ');
  plan.start = command;
  if (own !== undefined) Object.assign(own, { value: command.join(' '), because });
  const made = plan.build === null ? 'which is not in the archive' : 'which neither the archive nor the build has';
  return `The start command (${before}) names ${file}, ${made}. It starts with ${command.join(' ')} instead, by ${because}. Correct the start command if that is not the agent.`;
}

/** The file that one of these programs runs; undefined for other programs, and for a start that names a folder or none. */
export function findProgram([runner = '', ...words]: string[], programs: ReadonlySet<string> = onlyNode): string | undefined {
  if (!programs.has(runner)) return undefined;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (withValue.has(word)) at++;
    else if (word === 'run' && runner === 'bun') continue;
    else if (!word.startsWith('-')) return /^[\w./@-]{1,300}$/.test(word) && !word.startsWith('/') ? word.replace(/^\.\//, '') : undefined;
    else if (/^-(?:e|p|-eval|-print)$/.test(word)) return undefined;
  }
  return undefined;
}

const onlyNode: ReadonlySet<string> = new Set(['node']);

/** Whether the file of the start is there; true if it names none. */
export function isStartThere(plan: Plan, appDir: string): boolean {
  const file = findProgram(plan.start, runners);
  return file === undefined || isThere(appDir, posix.join(plan.root, plan.start_in ?? '', file));
}

/** Programs that run a file of JavaScript or TypeScript. */
export const runners: ReadonlySet<string> = new Set(['bun', 'node', 'ts-node', 'tsx']);

const isThere = (appDir: string, path: string) =>
  path.startsWith('..') || path === '.' || endings.some((ending) => statBelowOrStrange(appDir, `${path}${ending}`));

/** A path through a link of the archive counts as there: Node follows it. */
function statBelowOrStrange(appDir: string, path: string): boolean {
  try {
    return statBelow(appDir, path) !== undefined;
  } catch (error) {
    if (error instanceof StrangeFile) return true;
    throw error;
  }
}

/** The only file of the same name below the first folder of the path: TypeScript builds deeper if a source lies outside the folder. */
function findBuilt(appDir: string, folder: string, file: string): string | undefined {
  const [output = '', ...rest] = file.split('/');
  if (rest.length === 0) return undefined;
  const name = /\.[cm]?js$/.test(file) ? posix.basename(file) : `${posix.basename(file)}.js`;
  const top = posix.join(folder, output);
  const leads = ({ path }: { path: string }) =>
    posix.basename(path) !== 'node_modules' && (`${top}/`.startsWith(`${path}/`) || path.startsWith(`${top}/`));
  const found: string[] = [];
  try {
    for (const { path, kind } of walkBelow(appDir, maxEntries, leads))
      if (kind === 'file' && path.startsWith(`${top}/`) && posix.basename(path) === name) found.push(posix.relative(folder, path));
  } catch (error) {
    if (!(error instanceof StrangeFile)) throw error;
  }
  return found.length === 1 ? found[0] : undefined;
}
