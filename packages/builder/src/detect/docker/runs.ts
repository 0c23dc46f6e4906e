import { posix } from 'node:path';
import { readRequirement } from '../../python/requirements.ts';
import type { SourceTree } from '../source-tree.ts';
import { type InstalledExtra, readExtras } from './extras.ts';
import { type ShellToken, shellTokens } from './shell-words.ts';
import type { Run } from './stages.ts';

/** The work of the RUN lines of a Dockerfile, by kind. */
export interface DockerSteps {
  /** Packages of the distribution. */
  system: { name: string; line: number }[];
  /** Packages of Python that a line names one by one. */
  python: { requirement: string; line: number }[];
  /** Lists of packages, as `pip install -r` names them, in the archive. */
  lists: { path: string; line: number }[];
  /** Extras and groups of the project. */
  extras: InstalledExtra[];
  /** Commands that build the source, in order. `folder`: a folder below that of the agent. */
  builds: { command: string[]; line: number; folder?: string }[];
  /** Commands that download something into Python's environment. */
  fetches: { command: string[]; line: number }[];
  /** Commands that are not run, without their arguments, which may hold secrets. */
  left: { what: string; line: number }[];
}

interface Command {
  words: string[];
  /** Every word is known, and the command is not part of a larger expression. */
  isPlain: boolean;
  /** Its working folder in the archive; null if it is outside. */
  folder: string | null;
  /** Its working folder in the image; null if it is not known. */
  workdir: string | null;
  line: number;
}

interface Archive {
  tree: SourceTree;
  /** Maps a path of the image to the path in the archive. */
  locate: (path: string) => string | null;
}

const maxCommands = 500;

/** Sorts the commands of RUN lines. A command that occurs in several stages counts once. */
export function sortRuns(runs: Run[], archive: Archive): DockerSteps {
  const steps: DockerSteps = { system: [], python: [], lists: [], extras: [], builds: [], fetches: [], left: [] };
  const seen = new Set<string>();
  for (const run of runs)
    for (const command of parseCommands(run, archive)) {
      const key = JSON.stringify([command.words, command.folder]);
      if (seen.has(key)) continue;
      if (seen.size === maxCommands) return steps;
      seen.add(key);
      sort(command, steps, archive);
    }
  return steps;
}

const keywords = new Set(['then', 'do', 'else', 'if', 'while', 'until', 'elif', '!', '{', 'sudo', 'exec', 'env', 'time']);

function parseCommands(run: Run, { locate }: Archive): Command[] {
  const commands: Command[] = [];
  let workdir: string | null = run.workdir;
  let tokens: ShellToken[] = [];
  let before = ';';
  const end = (operator: string) => {
    const start = tokens.findIndex(({ text }) => !keywords.has(text) && !/^\w+=/.test(text) && !text.startsWith('--mount='));
    const used = start === -1 ? [] : tokens.slice(start);
    const isAlone = [before, operator].every((each) => [';', '&&'].includes(each));
    const words = used.map(({ text }) => text);
    const isPlain = isAlone && start === tokens.findIndex(({ text }) => !text.startsWith('--mount=')) && used.every((t) => t.isPlain);
    if (words[0] === 'cd') workdir = isPlain && words.length === 2 ? posix.resolve(workdir ?? '/', words[1] ?? '') : null;
    else if (words.length > 0)
      commands.push({ words, isPlain, folder: workdir === null ? null : locate(workdir), workdir, line: run.line });
    before = operator;
    tokens = [];
  };
  for (const token of shellTokens(toShellScript(run.text), run.vars)) {
    if (token.isOperator) end(token.text);
    else tokens.push(token);
  }
  end(';');
  return commands;
}

/** RUN also takes a list of arguments, which runs without a shell. */
function toShellScript(text: string): string {
  if (!text.startsWith('[')) return text;
  try {
    const list: unknown = JSON.parse(text);
    if (!Array.isArray(list) || !list.every((part) => typeof part === 'string')) return text;
    if (/^(\/bin\/)?(ba)?sh$/.test(list[0] ?? '') && list.length === 3) return list[2] ?? '';
    return list.map((part) => `'${part.replaceAll("'", '')}'`).join(' ');
  } catch {
    return text;
  }
}

const installers: Record<string, string> = {
  'apt-get': 'install',
  apt: 'install',
  aptitude: 'install',
  apk: 'add',
  yum: 'install',
  dnf: 'install',
  microdnf: 'install',
};
/** Commands whose work Paddock does itself, or that only make the image smaller or name its users. */
const needless = new Set(
  `rm chown chmod chgrp useradd adduser groupadd addgroup usermod passwd mkdir ln echo set true : test [ ] [[ ls cat pwd printf sleep find exit fi done
   export locale-gen update-ca-certificates ldconfig corepack touch mv cp source . which hash id apt-key gpg install virtualenv tee unset shopt`.split(
    /\s+/,
  ),
);

function sort(command: Command, steps: DockerSteps, archive: Archive): void {
  const { words, line } = command;
  const program = posix.basename(words[0] ?? '');
  if (installers[program] !== undefined) return readSystem(command, installers[program], steps);
  if (needless.has(program) || words.at(-1) === '--version') return;
  const python = pythonWords(words);
  const done = python === null ? readNode(command, steps, archive) : readPython({ ...command, words: python }, steps, archive);
  if (done || (program === 'make' && readMake(command, steps, archive))) return;
  if (isPython(program) && words[1] === '-m' && ['venv', 'ensurepip', 'compileall'].includes(words[2] ?? '')) return;
  steps.left.push({ what: named(words), line });
}

const isPython = (program: string) => /^python(3(\.\d+)?)?$/.test(program);
const plainWord = /^[A-Za-z0-9_@%+=:,./[\]<>~!-]{1,200}$/;
const isWritten = ({ words, isPlain }: Command) => isPlain && words.every((word) => plainWord.test(word));
const isSafe = (command: Command) => command.folder === '' && isWritten(command);

/** The program and its subcommand or script, never a value. */
function named(words: string[]): string {
  const first = posix.basename(words[0] ?? '').slice(0, 40);
  const then = words.slice(1, 3).filter((word) => /^[a-z][a-z-]{0,20}$|^[\w/-]{1,40}\.(py|sh|[cm]?js|ts)$/.test(word));
  return /^[\w.+-]+$/.test(first) ? [first, ...then].join(' ') : 'a command';
}

function readSystem({ words, line }: Command, verb: string, { system }: DockerSteps): void {
  const at = words.indexOf(verb);
  if (at === -1) return;
  for (let i = at + 1; i < words.length; i++) {
    const word = words[i] ?? '';
    // Alpine's option `--virtual` names a bundle of packages that are removed later.
    if (['-t', '--virtual', '--repository', '-X', '--target-release'].includes(word)) i++;
    const name = /^([a-z0-9][a-z0-9+.-]{0,80})(?:[=~<>:].*)?$/.exec(word.toLowerCase())?.[1];
    if (name !== undefined && !system.some((each) => each.name === name)) system.push({ name, line });
  }
}

/** The words from the Python program's own name on (`pip`, `uv`, `spacy` …); null if there is none. */
function pythonWords(words: string[]): string[] | null {
  const isRunner = ['uv', 'poetry', 'pdm', 'pipenv'].includes(posix.basename(words[0] ?? ''));
  const from = isRunner && words[1] === 'run' ? words.slice(2) : words;
  const program = posix.basename(from[0] ?? '');
  if (isPython(program)) return from[1] === '-m' ? from.slice(2) : ['python', ...from.slice(1)];
  if (/^pip(3(\.\d+)?)?$/.test(program)) return ['pip', ...from.slice(1)];
  if (program === 'uv' && from[1] === 'pip') return from.slice(1);
  return ['uv', 'poetry', 'pdm', 'pipenv', 'pipx', 'conda', 'playwright', 'spacy'].includes(program) ? [program, ...from.slice(1)] : null;
}

function readPython(command: Command, steps: DockerSteps, archive: Archive): boolean {
  const { words, line } = command;
  const [program, verb] = words;
  if (command.isPlain) steps.extras.push(...readExtras(words, line));
  if (program === 'pip') return verb === 'install' ? readPip(command, steps, archive) : true;
  if (program === 'pipx')
    return verb === 'ensurepath' || words.slice(2).every((word) => tools.has(word.split(/[=<>~]/, 1)[0] ?? '') || isIdle(word));
  if (['uv', 'poetry', 'pdm', 'pipenv'].includes(program ?? '')) return verb !== 'add' && verb !== 'tool';
  if (!isSafe(command)) return false;
  if (program === 'spacy' && verb === 'download') steps.fetches.push({ command: ['python', '-m', ...words], line });
  else if (program === 'nltk.downloader' && !words.some((word) => word.startsWith('-')))
    steps.fetches.push({ command: ['python', '-m', ...words], line });
  else if (program === 'playwright' && verb?.startsWith('install') === true) {
    const browsers = words.slice(2).filter((word) => !word.startsWith('-'));
    if (verb === 'install') steps.fetches.push({ command: ['python', '-m', 'playwright', 'install', ...browsers], line });
  } else if (program === 'python' && verb === 'setup.py' && archive.tree.has('setup.py') && words[2]?.startsWith('build') === true)
    steps.builds.push({ command: words, line });
  else if (program === 'python' && verb === 'manage.py' && words[2] === 'collectstatic') steps.builds.push({ command: words, line });
  else return false;
  return true;
}

/** Options of pip that do not change what is installed. */
const idle = new Set(
  `--no-cache-dir --no-cache --upgrade -U -q -qq -v --quiet --no-input --user --system --break-system-packages --prefer-binary --disable-pip-version-check
  --no-warn-script-location --compile --no-compile --ignore-installed`.split(/\s+/),
);
const idleAssigned = new Set(['--root-user-action', '--default-timeout', '--timeout', '--retries', '--progress-bar']);
const isIdle = (word: string) => idle.has(word) || (word.includes('=') && idleAssigned.has(word.slice(0, word.indexOf('='))));
const idleWithValue = new Set(['--timeout', '--default-timeout', '--retries', '--progress-bar', '--trusted-host', '--cache-dir']);
/** Tools that Paddock brings itself, so that their installation is skipped. */
const tools = new Set([
  'pip',
  'setuptools',
  'wheel',
  'uv',
  'poetry',
  'poetry-core',
  'pipenv',
  'pdm',
  'pip-tools',
  'pipx',
  'hatch',
  'rye',
  'virtualenv',
  'build',
]);

function readPip({ words, line, isPlain, folder, workdir }: Command, steps: DockerSteps, { tree, locate }: Archive): boolean {
  const found: DockerSteps['python'] = [];
  for (let i = 2; i < words.length; i++) {
    const word = words[i] ?? '';
    const list = /^(?:-r|--requirement=)(.+)$/.exec(word)?.[1] ?? (/^(-r|--requirement)$/.test(word) ? words[++i] : undefined);
    if (list !== undefined) {
      const below = folder === null ? null : posix.join(folder, list);
      // COPY may have given the list another name.
      const path = below !== null && tree.has(below) ? below : (locate(posix.resolve(workdir ?? '/', list)) ?? below);
      if (path !== null && isPlain) steps.lists.push({ path, line });
    } else if (idleWithValue.has(word)) i++;
    else if (word === '-e' || word === '--editable') i++;
    else if (/^\.|^\//.test(word) || isIdle(word)) continue;
    else {
      const requirement = readRequirement(word);
      if (!isPlain || requirement === null || !plainWord.test(word) || word.includes('@')) return false;
      if (!tools.has(requirement.name)) found.push({ requirement: word, line });
    }
  }
  steps.python.push(...found);
  return true;
}

const runners = new Set(['npm', 'pnpm', 'yarn', 'bun']);

function readNode(command: Command, steps: DockerSteps, { tree }: Archive): boolean {
  const { words, line } = command;
  const program = words[0] ?? '';
  if (runners.has(program)) {
    const verb = words[1] ?? 'install';
    const script = verb === 'run' || verb === 'run-script' ? (words[2] ?? '') : verb;
    if (/^(ci|install|i|clean-install|add|global|config|cache|set|prune|rebuild|audit|fetch|dedupe|--)/.test(script))
      return (
        !(script === 'add' || words.includes('-g') || words.includes('--global')) ||
        words.some((word) => runners.has(word.split('@')[0] ?? '') && word !== program)
      );
    if (!isSafe(command) || !(tree.read('package.json') ?? '').includes(JSON.stringify(script))) return false;
    if (!/^(build|compile|generate|prepare|postinstall)\b/.test(script)) return false;
    steps.builds.push({ command: [program, 'run', script, ...words.slice(verb === script ? 2 : 3)], line });
    return true;
  }
  const tool = program === 'npx' ? words.find((word, at) => at > 0 && !word.startsWith('-')) : undefined;
  // The client of Prisma is generated in the folder of its schema.
  if (tool === 'prisma' && command.folder !== null && command.folder !== '' && plainWord.test(command.folder) && isWritten(command)) {
    steps.builds.push({ command: words, line, folder: command.folder });
    return true;
  }
  if (tool === undefined || !isSafe(command)) return false;
  if (!['prisma', 'tsc', 'next', 'vite', 'webpack', 'tsup', 'esbuild', 'playwright'].includes(tool)) return false;
  const isFetch = tool === 'playwright';
  steps.builds.push({ command: isFetch ? words.filter((word) => word !== '--with-deps') : words, line });
  return true;
}

function readMake(command: Command, steps: DockerSteps, { tree }: Archive): boolean {
  if (!isSafe(command) || !['Makefile', 'makefile', 'GNUmakefile'].some(tree.has)) return false;
  if (command.words.slice(1).some((word) => !/^[\w-]{1,40}$/.test(word) || /^(install|test|lint|run|deploy|start)$/.test(word)))
    return false;
  steps.builds.push({ command: command.words, line: command.line });
  return true;
}
