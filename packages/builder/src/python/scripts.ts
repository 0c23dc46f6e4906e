import { posix } from 'node:path';
import { readDockerfile } from '../detect/docker/read.ts';
import type { SourceTree } from '../detect/source-tree.ts';
import { findNamed, formatReason, type SpokenCommands } from '../detect/spoken.ts';
import { type EntryFile, entryPaths } from './entry.ts';
import type { ImportName, NameInPackage } from './import-root.ts';
import { standardLibrary } from './standard-library.ts';

/** A Python file, or a package with `__main__.py`, that can be run. */
export interface Script {
  path: string;
  command: string[];
  /** A folder that has to be on Python's path. */
  folder?: string;
  because: string;
}

interface ScriptInput {
  files: EntryFile[];
  spoken: SpokenCommands;
  /** Files that other files import or start. */
  used: Set<string>;
  nameInPackage: NameInPackage;
}

const packageMain = /^(?:src\/)?[A-Za-z_]\w*\/__main__\.py$/;
const atTop = (path: string) => !path.includes('/') && path !== '__init__.py' && path !== 'manage.py';
/** Modules that agents are made with. A script that imports one is more likely the agent than its set-up. */
const ofAgents =
  /^(?:openai|anthropic|langchain\w*|langgraph\w*|crewai|autogen\w*|llama_index|smolagents|pydantic_ai|agents|agno|google|mcp|fastmcp|telegram|discord|slack_bolt|dspy|litellm|ollama|groq|mistralai)$/;

/** Scripts that are run once, before the agent. */
const preparation =
  /(?:^|\/)(?:ingest|index|seed|setup|init|create|load|download|build|prepare|populate|migrate|train|test|eval|generate|embed)[^/]{0,200}\.py$/;

/** Scripts that try out a part of the agent. */
const trials = /^(?:demo|test|tests|example|sample|debug|check|try)[_-][^/]{0,200}\.py$/;

/** Scripts that may be the agent, likeliest first. */
interface RankedScripts {
  likely: Script[];
  /** Set instead of `likely` if the documents name the first script and others equally, in this order. */
  alike: Script[];
}

/** Ranks the scripts of an archive. Both lists are empty if several scripts are equally likely and no document names them. */
export function rankedScripts(tree: SourceTree, { files, spoken, used, nameInPackage }: ScriptInput): RankedScripts {
  const entries = entryPaths(tree);
  // Without a file at the root, the files of `src` are the scripts, unless an image names the start.
  const isBelow = !files.some(({ path }) => atTop(path)) && !readDockerfile(tree)?.start;
  const isTop = isBelow ? (path: string) => posix.dirname(path) === 'src' && atTop(posix.basename(path)) : atTop;
  const alone = files.filter((file) => isTop(file.path));
  const named = new Set([
    ...entries,
    ...tree.files.filter((path) => packageMain.test(path)),
    ...(tree.has('__main__.py') ? ['__main__.py'] : []),
  ]);
  const graphs = tree.read('langgraph.json') ?? '';
  const others = files.filter(
    ({ path, module }) =>
      !named.has(path) && ((isTop(path) && (module.hasMain || alone.length === 1)) || findNamed(spoken, path) !== undefined),
  );
  const plain = others.filter(({ path }) => !trials.test(path) || findNamed(spoken, path) !== undefined);
  const known = new Map(files.map((file) => [file.path, file]));
  const score = (path: string) => {
    const file = known.get(path);
    const isMain = path.endsWith('__main__.py');
    return (
      (findNamed(spoken, path) === undefined ? 0 : 4) +
      (named.has(path) ? 2 : 0) +
      (file?.module.hasMain === true && !isMain ? 2 : 0) +
      (used.has(path) ? 0 : 2) +
      (!named.has(path) && file !== undefined && [...file.module.imports].some((name) => ofAgents.test(name)) ? 1 : 0)
    );
  };
  const order = new Map(spoken.commands.map((command, at) => [command, at]));
  const place = (path: string) => {
    const said = findNamed(spoken, path);
    return said === undefined ? order.size : (order.get(said) ?? order.size) + (preparation.test(path) ? order.size : 0);
  };
  const below = isBelow && named.size === 0 && others.length === 0 ? onlyMain(files, used) : [];
  const ranked = [...named, ...below, ...(plain.length > 0 ? plain : others).map((file) => file.path)]
    // LangGraph's server loads the files of its graphs; they do nothing when run.
    .filter((path) => !graphs.includes(`${path}:`))
    .map((path, at) => ({ path, at, score: score(path), place: place(path) }))
    .sort((a, b) => b.score - a.score || a.place - b.place || a.at - b.at);
  const [first, second] = ranked;
  const isTie = first !== undefined && second !== undefined && !named.has(first.path) && first.score === second.score;
  // A guess between two scripts that nothing distinguishes would be wrong half of the time.
  if (isTie && findNamed(spoken, first.path) === undefined) return { likely: [], alike: [] };
  const scripts = ranked.map(({ path }) => ({
    path,
    ...buildRunCommand(path, tree, { files, spoken, nameInPackage }),
    because: whyThis(path, { entries, spoken, used, ranked }),
  }));
  return isTie ? { likely: [], alike: scripts } : { likely: scripts, alike: [] };
}

/** The one file, at any depth, that is made to be run and that no other file imports. */
function onlyMain(files: EntryFile[], used: Set<string>): string[] {
  const found = files.filter(({ path, module }) => module.hasMain && !used.has(path) && !preparation.test(path));
  return found.length === 1 ? found.map(({ path }) => path) : [];
}

/** The command that runs a file: by its module's name if the file is part of a package. */
export function buildRunCommand(
  path: string,
  tree: SourceTree,
  { files, spoken, nameInPackage }: Omit<ScriptInput, 'used'>,
): Pick<Script, 'command' | 'folder'> {
  if (packageMain.test(path)) return { command: ['python', '-m', posix.basename(posix.dirname(path))] };
  const file = files.find((each) => each.path === path);
  const part = (file && nameInPackage(file)) ?? spokenModule(path, spoken);
  if (part !== null) return { command: ['python', '-m', part.module], ...(part.folder === '' ? {} : { folder: part.folder }) };
  return { command: isModule(path, tree, files) ? ['python', '-m', path.slice(0, -3).replaceAll('/', '.')] : ['python', path] };
}

/** The module name under which a document runs a file. */
function spokenModule(path: string, spoken: SpokenCommands): ImportName | null {
  const words = findNamed(spoken, path)?.words ?? [];
  const module = words[words.indexOf('-m') + 1] ?? '';
  const dotted = path.slice(0, -3).replaceAll('/', '.');
  if (!words.includes('-m') || !path.includes('/')) return null;
  if (module === dotted) return { module, folder: '' };
  return `src.${module}` === dotted ? { module, folder: 'src' } : null;
}

/**
 * Whether a script runs as part of its package: its files import each other by the package's name, and none by a bare name. Run as a file,
 * it would have its own folder on the path, where a `types.py` would shadow Python's.
 */
function isModule(path: string, tree: SourceTree, files: EntryFile[]): boolean {
  const folder = posix.dirname(path);
  const top = path.split('/')[0] ?? '';
  if (folder === '.' || !/^[A-Za-z_]\w{0,100}(?:\/[A-Za-z_]\w{0,100}){1,10}\.py$/.test(path)) return false;
  const own = files.filter((file) => file.path.startsWith(`${folder}/`));
  const imports = (name: string) => own.some(({ module }) => module.imports.has(name));
  const neighbours = own.filter((file) => posix.dirname(file.path) === folder).map((file) => posix.basename(file.path, '.py'));
  const folders = own.map((file) => file.path.slice(folder.length + 1).split('/')[0] ?? '').filter((name) => !name.endsWith('.py'));
  const isBare = [...neighbours, ...folders].some(
    (name) => name !== top && !standardLibrary.has(name) && !tree.has(`${name}.py`) && imports(name),
  );
  return imports(top) && !isBare;
}

interface Why extends Pick<ScriptInput, 'spoken' | 'used'> {
  entries: string[];
  ranked: { path: string }[];
}

function whyThis(path: string, { entries, spoken, used, ranked }: Why): string {
  const isUsual = ranked.length === 1 || path === entries[0];
  if (isUsual) return path;
  if (findNamed(spoken, path) !== undefined) return formatReason(spoken, path);
  return used.has(path) ? path : `${path}, which no other file imports`;
}
