import { readDockerfile } from '../detect/docker/read.ts';
import type { SourceTree } from '../detect/source-tree.ts';
import type { SpokenCommands } from '../detect/spoken.ts';
import { entryPaths } from './entry.ts';
import type { Pyproject } from './pyproject.ts';
import type { PythonStart } from './python-start.ts';

const identifier = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/;

/** The start by a script of the project: the only one, the one with the project's name, or the one that a document runs. */
export function projectScript(tree: SourceTree, pyproject: Pyproject | null, spoken: SpokenCommands): PythonStart | null {
  if (pyproject === null || entryPaths(tree).some((p) => !p.includes('/'))) return null;
  const { file, scripts, name: own } = pyproject;
  const said = spoken.commands.find(({ words }) => scripts.has(words[0] ?? ''))?.words[0] ?? '';
  const name = [own ?? '', said].find((each) => scripts.has(each)) ?? (scripts.size === 1 ? ([...scripts.keys()][0] ?? '') : '');
  const [module = '', call = ''] = (scripts.get(name) ?? '').split(':').map((p) => p.trim());
  if (!identifier.test(module) || !identifier.test(call)) return null;
  const source = readModuleSource(module, tree);
  const given = givenArguments(tree, { name, source, spoken });
  const because = `${file} (script ${name})`;
  return {
    command: [
      'python',
      '-c',
      `import sys; from ${module} import ${call.split('.')[0]}; sys.exit(${call}())`,
      ...(given === null ? [] : listening(given.words, source)),
    ],
    type: null,
    because: given === null ? because : `${because}, as ${given.because} says`,
    needs: [],
  };
}

function readModuleSource(module: string, tree: SourceTree): string {
  const path = module.replaceAll('.', '/');
  const file = ['', 'src/'].flatMap((folder) => [`${folder}${path}.py`, `${folder}${path}/__init__.py`]).find(tree.has);
  return file === undefined ? '' : (tree.read(file) ?? '');
}

interface Script {
  name: string;
  /** The source of the script's module. */
  source: string;
  spoken: SpokenCommands;
}

interface Arguments {
  words: string[];
  because: string;
}

const maxArguments = 20;
/** Arguments that contain free text, a placeholder or a shell operator are only examples. */
const plain = /^(?:[\w@%+=:,./-]{1,200}|(?:--?[\w-]{1,50}=)?\$\{?PORT(?::-\d{1,5})?\}?)$/;
const serves =
  /^(?:serve|server|start|run|http|web|api|up|listen|worker|bot|daemon|stdio|sse|streamable-http|--(?:port|host|http|sse|transport)(?:=.{0,200})?)$/;

/**
 * The arguments with which the Dockerfile, a compose file, a Makefile or the README runs a script; null if they run it without arguments,
 * or not at all.
 */
function givenArguments(tree: SourceTree, { name, source, spoken }: Script): Arguments | null {
  const image = readDockerfile(tree)?.start;
  const words = image?.command.flatMap((part) => part.split(/\s+/)) ?? [];
  const inImage = parseUsageArguments(words, name);
  if (image && inImage !== null) return { words: inImage, because: `Dockerfile:${image.line} (${image.instruction})` };
  const all = spoken.commands.flatMap(({ words, file }) => {
    const found = parseUsageArguments(words, name);
    return found === null ? [] : [{ words: found, because: file }];
  });
  const machine = all.find(({ because }) => !/^readme/i.test(because));
  if (machine !== undefined) return machine;
  // A README also shows commands that query the agent.
  const serving = all.filter(({ words }) => isKnown(words[0] ?? '', source) && words.some((word) => serves.test(word)));
  // Streamable HTTP took the place of SSE in the protocol.
  const isNewest = ({ words }: Arguments) => words.some((word) => /streamable[-_]?http$/.test(word));
  return serving.find(isNewest) ?? serving.find(({ words }) => !words.includes('stdio')) ?? serving[0] ?? null;
}

function parseUsageArguments(words: string[], name: string): string[] | null {
  const at = words.indexOf(name);
  if (at === -1) return null;
  const text = words.slice(at + 1, at + 1 + maxArguments).join(' ');
  const required = text
    .replaceAll(/\[[^[\]]{0,200}\]/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '' && word !== '\\');
  const end = required.findIndex((word) => /^(?:#|&|\||>|\d>)/.test(word));
  const taken = end === -1 ? required : required.slice(0, end);
  return taken.length > 0 && taken.every((word) => plain.test(word)) && !taken.some((word) => /^--?(?:help|h|version)$/.test(word))
    ? taken
    : null;
}

/** Whether a script's module defines an argument: as an option, a choice, or the function of a subcommand. */
function isKnown(word: string, source: string): boolean {
  const bare = word.split('=', 1)[0] ?? '';
  return [`"${bare}"`, `'${bare}'`, `def ${bare.replaceAll('-', '_')}(`].some((text) => source.includes(text));
}

/** Arguments with the sandbox's host and port. The options are added if the script's only subcommand defines them. */
function listening(words: string[], source: string): string[] {
  const isHttp = words.some((word) => serves.test(word)) && !words.includes('stdio');
  const isOnly = source.split(/\.command\(|\.add_parser\(/, 3).length <= 2;
  const has = (option: string) => words.some((word) => word === option || word.startsWith(`${option}=`));
  const adds = (option: string) => isHttp && isOnly && !has(option) && isKnown(option, source);
  const set = words.map((word, at) => {
    if (words[at - 1] === '--port') return '$PORT';
    if (words[at - 1] === '--host') return '0.0.0.0';
    if (word.startsWith('--port=')) return '--port=$PORT';
    return word.startsWith('--host=') ? '--host=0.0.0.0' : word.replace(/\$\{?PORT(?::-\d{1,5})?\}?/, '$PORT');
  });
  return [...set, ...(adds('--host') ? ['--host', '0.0.0.0'] : []), ...(adds('--port') ? ['--port', '$PORT'] : [])];
}
