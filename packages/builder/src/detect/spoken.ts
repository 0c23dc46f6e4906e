import type { SourceTree } from './source-tree.ts';
import { taskLines } from './task-lines.ts';

/** A command that the archive's own documents tell users to run. */
export interface Spoken {
  /** The document. */
  file: string;
  words: string[];
}

const documents = /^(?:(?:docker-)?compose(?:\.[\w-]{1,30})?\.ya?ml|Makefile|justfile|readme(?:\.(?:md|rst|txt))?)$/i;
const maxDocuments = 6;
const maxCharacters = 200_000;
const maxCommands = 200;
const maxWords = 30;

const programs = new Set(
  'python python3 py uvicorn gunicorn hypercorn streamlit chainlit fastapi flask fastmcp adk node npm pnpm yarn bun npx tsx'.split(' '),
);
/** Words before a program that only choose where it runs. */
const runners = new Set([
  'uv',
  'uvx',
  'pipx',
  'poetry',
  'pipenv',
  'pdm',
  'rye',
  'hatch',
  'run',
  'exec',
  'sudo',
  '$',
  '>',
  '-',
  '@',
  'nohup',
]);
/** Runners whose next word may be a script of the project, a file or a module. */
const pythonRunners = new Set(['uv', 'uvx', 'pipx', 'poetry', 'pipenv', 'pdm', 'rye', 'hatch']);
/** Options of runners that have a value. */
const valued = new Set('--env-file --with --with-editable --from --extra --group --python -p --project --package --directory'.split(' '));

export interface SpokenCommands {
  commands: Spoken[];
  /** The first command for each Python file (`a/b.py`) or module (`a.b`). */
  named: Map<string, Spoken>;
}

/**
 * The commands in tasks, compose files, a Makefile, a justfile and the README, in this order. `scripts` are programs of the project itself.
 */
export function spokenCommands(tree: SourceTree, scripts: ReadonlyMap<string, string> = new Map()): SpokenCommands {
  const commands = taskLines(tree).flatMap(({ file, line }): Spoken[] => {
    const words = commandIn(line, scripts);
    return words === null ? [] : [{ file, words }];
  });
  const files = tree.files.filter((each) => documents.test(each)).sort(composeFirst);
  for (const file of files.slice(0, maxDocuments)) {
    for (const piece of (tree.read(file) ?? '').slice(0, maxCharacters).split(/[\n`;]|&&/)) {
      const words = commandIn(piece, scripts);
      if (words !== null && commands.length < maxCommands) commands.push({ file, words });
    }
  }
  const named = new Map<string, Spoken>();
  for (const spoken of commands) for (const name of pythonNames(spoken.words)) if (!named.has(name)) named.set(name, spoken);
  return { commands, named };
}

// Files that a machine runs sort before prose. Plain sorting would put README first, because of its capital letters.
const composeFirst = (a: string, b: string) => Number(/^readme/i.test(a)) - Number(/^readme/i.test(b)) || (a < b ? -1 : 1);

function commandIn(piece: string, scripts: ReadonlyMap<string, string>): string[] | null {
  if (piece.length > 1000) return null;
  const line = piece.trimStart().startsWith('command:')
    ? piece
        .trimStart()
        .slice(8)
        .replaceAll(/[[\]",']/g, ' ')
    : piece;
  const { words, isRun } = withoutRunners(line.trim().replace(/^@/, '').split(/\s+/, maxWords));
  const [program = ''] = words;
  if (isRun && ((program === '-m' && words.length > 1) || program.endsWith('.py'))) return ['python', ...words];
  if (scripts.has(program) && (isRun || words.length > 1)) return words;
  return words.length > 1 && programs.has(program) ? words : null;
}

/** The words behind runners, their options and variables; `isRun` if a runner of Python's tools is among them. */
function withoutRunners(words: string[]): { words: string[]; isRun: boolean } {
  let at = 0;
  let isRun = false;
  for (; at < words.length - 1; at++) {
    const word = words[at] ?? '';
    if (isRun && word.startsWith('-') && word !== '-m') at += valued.has(word) ? 1 : 0;
    else if (!runners.has(word) && !/^\w+=/.test(word)) break;
    isRun ||= pythonRunners.has(word);
  }
  return { words: words.slice(at), isRun };
}

function pythonNames(words: string[]): string[] {
  return words.flatMap((word, at) => {
    const plain = word.replace(/^\.\//, '');
    if (plain.endsWith('.py')) return plain;
    const [module = '', call] = plain.split(':', 2);
    return call !== undefined || words[at - 1] === '-m' ? module : [];
  });
}

/** The first command that names a Python file by its path, its module or its package. */
export function findNamed({ named }: SpokenCommands, path: string): Spoken | undefined {
  const dotted = path.replace(/(?:\/__(?:main|init)__)?\.py$/, '').replaceAll('/', '.');
  return named.get(path) ?? named.get(dotted) ?? (dotted.startsWith('src.') ? named.get(dotted.slice(4)) : undefined);
}

/** A file and the document that tells users to run it, as a reason. */
export function formatReason(spoken: SpokenCommands, path: string): string {
  const said = findNamed(spoken, path);
  return said === undefined ? path : `${path}, as ${said.file} says`;
}
