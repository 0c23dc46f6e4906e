import { commandLine, parseCommand, wordsOf } from '../detect/commands.ts';
import { foreground } from '../detect/foreground.ts';
import type { SourceTree } from '../detect/source-tree.ts';
import { spokenCommands } from '../detect/spoken.ts';
import type { Choice } from '../plan.ts';
import type { PackageJson } from './package-json.ts';
import { entryFiles, isDevelopment, type NodeStart } from './start.ts';

/** Names of scripts that run an agent. Scripts with other names build, test or watch it. */
const runs = /^(?:start|serve|server|agents?|bots?|chat|worker|cli|run|web|api|mcp|http|stdio|demo)(?:[:.-][\w:.-]{1,60})?$/i;
/** Matches a script that restarts the agent at every change of a file. */
const watches = /--watch\b|\bnodemon\b|\bwatch\b/;

/** Whether a line runs a script of another folder, which is then the agent. */
const isElsewhere = (line: string) =>
  (/^(?:npm|pnpm|yarn|bun)\s/.test(line.trim()) && /\s(?:--filter|-F|--workspace|-w|workspace|--prefix|--cwd|-C)\b/.test(line)) ||
  (/^(?:uv|poetry)\s/.test(line.trim()) && /\s(?:--project|--directory|-C)\b/.test(line));

const maxScripts = 50;

/** Scripts that run an agent, without those that leave it in the background. */
const listScripts = (tree: SourceTree, pkg: PackageJson): [string, string][] =>
  Object.entries(pkg.scripts)
    .filter(([name, line]) => runs.test(name) && line.trim() !== '' && !watches.test(line) && !isElsewhere(line))
    .slice(0, maxScripts)
    .flatMap(([name, line]): [string, string][] => {
      const own = foreground(parseCommand(line), tree);
      return own === null ? [] : [[name, commandLine(own.command)]];
    });

/** The script that the documents tell users to run, otherwise the only one that runs an agent; null if there is no such script. */
export function likelyScript(tree: SourceTree, pkg: PackageJson): NodeStart | null {
  const [only, another] = listScripts(tree, pkg);
  const alone =
    only === undefined || another !== undefined ? null : { command: parseCommand(only[1]), because: `package.json (scripts.${only[0]})` };
  return saidScript(tree, pkg) ?? alone;
}

/** The script that the documents tell users to run. */
export function saidScript(tree: SourceTree, pkg: PackageJson): NodeStart | null {
  const scripts = listScripts(tree, pkg);
  for (const { file, words } of spokenCommands(tree).commands) {
    const name = words.slice(1).find((word) => word !== 'run');
    const script = scripts.find(([own]) => own === name);
    if (script !== undefined && ['npm', 'pnpm', 'yarn', 'bun'].includes(words[0] ?? ''))
      return { command: parseCommand(script[1]), because: `package.json (scripts.${script[0]}), as ${file} says` };
  }
  return null;
}

interface Chosen {
  pkg: PackageJson;
  found: NodeStart | null;
  builds: boolean;
}

/** Scripts and entry files that could be run instead. Source files that a build compiles are not entries. */
export function nodeChoices(tree: SourceTree, { pkg, found, builds }: Chosen): Choice[] {
  const words = new Set(wordsOf(found?.command ?? []));
  const isEntry = (path: string) => tree.has(path) && !words.has(path);
  return [
    ...listScripts(tree, pkg)
      .map(([name, line]) => ({ start: line, because: `package.json (scripts.${name})` }))
      .filter(({ start, because }) => found?.because !== because && !isDevelopment(start)),
    ...(builds || pkg.scripts.start !== undefined ? [] : ['', 'src/'].flatMap((folder) => entryFiles.map((file) => folder + file)))
      .filter(isEntry)
      .map((path) => ({ start: commandLine(['node', '--', path]), because: path })),
  ];
}
