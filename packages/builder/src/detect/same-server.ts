import { posix } from 'node:path';
import { readScripts } from '../node/package-json.ts';
import { wordsOf } from './commands.ts';
import type { SourceTree } from './source-tree.ts';

interface Command {
  words: string[];
  /** Its folder below the agent's. */
  folder: string;
}

/** Folders in which Python finds modules. */
type Roots = readonly string[];

const runners = new Set(['npm', 'pnpm', 'yarn', 'bun']);

/** Whether two commands serve the same program of the archive: an app of the same file, the same script, or a framework's own server. */
export function isSameServer(command: Command, detected: string[], { tree, roots }: { tree: SourceTree; roots: Roots }): boolean {
  const own = inScripts(command, tree);
  const known = wordsOf(detected);
  // The image may have the folder of `--app-dir` on its own path.
  const all = [...roots, ...appFolders({ words: known, folder: '' })];
  const programs = findPrograms({ words: known, folder: '' }, { tree, roots: all });
  const found = findPrograms({ ...command, words: own }, { tree, roots: all });
  if (programs.size > 0) return [...found].some((program) => programs.has(program));
  const plain = own[0] === 'npx' ? own.slice(1) : own;
  return found.size === 0 && command.folder === '' && plain.length > 1 && plain[0] === known[0] && plain[1] === known[1];
}

/** The words of the script of package.json that `npm start` and the like run. */
function inScripts({ words, folder }: Command, tree: SourceTree): string[] {
  if (!runners.has(words[0] ?? '')) return words;
  const name = (words[1] === 'run' ? words[2] : words[1]) ?? '';
  const scripts = readScripts(tree.read(posix.join(folder, 'package.json')));
  return Object.hasOwn(scripts, name) ? wordsOf([scripts[name] ?? '']) : words;
}

/** Paths, without their ending, of the archive's files that a command names as scripts, modules or apps. */
function findPrograms({ words, folder }: Command, { tree, roots }: { tree: SourceTree; roots: Roots }): Set<string> {
  const found = new Set<string>();
  const places = [folder, ...appFolders({ words, folder }), ...roots];
  for (const word of words.slice(0, maxWords)) {
    if (/\.(?:py|[cm]?[jt]s)$/.test(word)) found.add(posix.join(folder, word).replace(/\.\w{1,3}$/, ''));
    const module = /^([A-Za-z_][\w.]{0,200})(?::[\w.()]{1,100})?$/.exec(word)?.[1]?.replaceAll('.', '/');
    const file = module === undefined ? undefined : findModule(module, { tree, roots: places });
    if (file === undefined) continue;
    found.add(file.path);
    // The development server of Django serves the same project as its WSGI and ASGI apps.
    const manage = posix.join(file.path, '../../manage');
    if (/(?:^|\/)[aw]sgi$/.test(file.path) && tree.has(`${manage}.py`)) found.add(manage);
  }
  return found;
}

const maxWords = 60;

/** The folders that the options of a server name. */
const appFolders = ({ words, folder }: Command): string[] =>
  words.flatMap((word, at) => (word === '--app-dir' || word === '--chdir' ? [posix.join(folder, words[at + 1] ?? '')] : []));

/** The path, without its ending, of a module, and the folder in which Python finds it. */
export function findModule(
  module: string,
  { tree, roots }: { tree: SourceTree; roots: Roots },
): { path: string; root: string } | undefined {
  for (const root of roots)
    for (const path of [posix.join(root, module), posix.join(root, module, '__main__')]) if (tree.has(`${path}.py`)) return { path, root };
  return undefined;
}
