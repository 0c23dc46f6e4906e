import { wordsOf } from '../detect/commands.ts';
import type { SourceTree } from '../detect/source-tree.ts';
import { lifecycleScripts } from '../lifecycle-scripts.ts';
import type { PackageJson } from './package-json.ts';

/** Programs that only matter in a git checkout. If they are not installed, a program of the same name that does nothing replaces them. */
const gitHooks = new Set(['husky', 'lefthook', 'simple-git-hooks', 'pre-commit']);

/** The package of a program that has another name. */
const binOf: Record<string, string> = {
  babel: '@babel/cli',
  del: 'del-cli',
  'graphql-codegen': '@graphql-codegen/cli',
  ncc: '@vercel/ncc',
  nest: '@nestjs/cli',
  panda: '@pandacss/dev',
  'run-p': 'npm-run-all',
  'run-s': 'npm-run-all',
  'svelte-kit': '@sveltejs/kit',
  swc: '@swc/cli',
  tsc: 'typescript',
};

/** The first word of a command that is a program of a development dependency. */
export const developmentProgram = (pkg: PackageJson, words: string[]): string | undefined =>
  words.map(packageIn).find((word) => pkg.devDependencies[word] !== undefined || pkg.devDependencies[binOf[word] ?? ''] !== undefined);

const checkers = new Set(['ts-node', 'ts-node-dev', 'tsnd']);
/** Whether a command compiles TypeScript with ts-node, which ends at an error of types unless it is told to log them. */
export const usesTsNode = (words: string[]): boolean => words.some((word) => checkers.has(packageIn(word)));

const withoutChecks =
  /^(?:--transpile-only|--transpileOnly|-T|--swc|--script-mode-transpile-only)$|transpile-only|^ts-node\/(?:esm\/)?transpile/;

/** Whether a command compiles TypeScript with its types checked, and types of its packages are development dependencies. */
export const checksTypes = (pkg: PackageJson, words: string[]): boolean =>
  words.some((word) => checkers.has(packageIn(word))) &&
  !words.some((word) => withoutChecks.test(word)) &&
  Object.keys(pkg.devDependencies).some((name) => name.startsWith('@types/') && name !== '@types/node');

/** The package `ts-node` in `ts-node/esm` (a loader of Node) and in `./node_modules/.bin/ts-node`. */
function packageIn(word: string): string {
  const parts = word.replace(/^(?:\.\/)?node_modules\/(?:\.bin\/)?/, '').split('/');
  return parts.slice(0, word.startsWith('@') ? 2 : 1).join('/');
}

/** The reason why the install itself needs the development dependencies; null if it does not. */
export function lifecycleReason(pkg: PackageJson): string | null {
  for (const script of lifecycleScripts) {
    const words = wordsWithin(pkg, script).filter((word) => !gitHooks.has(word));
    const program = developmentProgram(pkg, words);
    if (program !== undefined) return `the script “${script}” uses ${program}`;
  }
  return null;
}

/** A line that imports a package as soon as its file is loaded. Imports of types alone do not count. */
const packageImport =
  /^(?:import (?:[^'"]{1,300} from )?|(?:const|let|var) [^'"=]{1,300}= ?require\()['"]((?:@[\w.-]{1,100}\/)?[\w.-]{1,100})/;

/** The reason if the file of the start command imports a package that is listed only for development; otherwise null. */
export function importReason(tree: SourceTree, pkg: PackageJson, words: string[]): string | null {
  const file = words.find((word) => /\.[cm]?[jt]s$/.test(word) && tree.has(word.replace(/^\.\//, '')));
  if (file === undefined) return null;
  const lines = (tree.read(file.replace(/^\.\//, '')) ?? '').split('\n');
  const names = lines.flatMap((line) => (line.startsWith('import type ') ? [] : (packageImport.exec(line.slice(0, 1000))?.[1] ?? [])));
  const name = names.find((one) => pkg.devDependencies[one] !== undefined && pkg.dependencies[one] === undefined);
  return name === undefined ? null : `${file} imports ${name}`;
}

const maxScripts = 20;

/** The words of a script, and of the scripts that it runs by name. */
function wordsWithin(pkg: PackageJson, script: string): string[] {
  const names = [script];
  for (const name of names) {
    if (names.length >= maxScripts) break;
    const run = wordsOf([pkg.scripts[name] ?? '']).filter((word) => Object.hasOwn(pkg.scripts, word) && !names.includes(word));
    names.push(...run); // iterating an array also visits elements added during the loop
  }
  return names.flatMap((name) => wordsOf([pkg.scripts[name] ?? '']));
}
