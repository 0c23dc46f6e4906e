import { wordsOf } from '../detect/commands.ts';
import type { SourceTree } from '../detect/source-tree.ts';
import type { NodeManager } from './manager.ts';
import type { PackageJson } from './package-json.ts';

/** Scripts with which authors run the source, by their usual names. */
const scriptNames = ['dev', 'start:dev', 'develop', 'dev:server', 'server:dev', 'start:ts', 'watch'];
const runners = new Set(['bun', 'node', 'nodemon', 'ts-node', 'ts-node-dev', 'tsnd', 'tsx']);

/** A command that runs the source of an agent in place of a built file, and its script. */
export interface SourceStart {
  command: string[];
  because: string;
}

/** The command for the file that a development script runs from source, without its watching; undefined if there is none. */
export function findSourceStart(tree: SourceTree, pkg: PackageJson, manager: NodeManager): SourceStart | undefined {
  for (const name of scriptNames) {
    const found = sourceIn(name, { tree, pkg, manager });
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Archive {
  tree: SourceTree;
  pkg: PackageJson;
  manager: NodeManager;
}

/** The command for the file that one script runs, without its watching. */
export function sourceIn(name: string, { tree, pkg, manager }: Archive): SourceStart | undefined {
  const words = wordsOf([pkg.scripts[name] ?? '']).map((word) => word.replace(/^\.\//, ''));
  const runner = words.find((word) => runners.has(word));
  const file = words.find((word) => /\.[cm]?[jt]s$/.test(word) && tree.has(word));
  if (runner === undefined || file === undefined) return undefined;
  return { command: commandFor(file, { words, manager, isModule: pkg.isModule }), because: `package.json (scripts.${name})` };
}

interface Circumstances {
  words: string[];
  manager: NodeManager;
  isModule: boolean;
}

function commandFor(file: string, { words, manager, isModule }: Circumstances): string[] {
  if (manager === 'bun' || words.includes('bun')) return ['bun', file];
  if (!/\.[cm]?ts$/.test(file)) return ['node', '--', file];
  // Types that decorators read at run time are known to ts-node alone.
  const usesTsNode = words.some((word) => /^(?:ts-node|ts-node-dev|tsnd)$/.test(word));
  return usesTsNode && !isModule ? ['ts-node', '--transpile-only', file] : ['tsx', file];
}
