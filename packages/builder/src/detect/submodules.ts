import { BuildError, quoteName } from '../build-error.ts';
import type { SourceTree } from './source-tree.ts';

const maxSubmodules = 50;
const remedy =
  'Run “git submodule update --init --recursive” in your copy and zip it again: archives that a host of git makes leave submodules out.';

/** Folders of `.gitmodules` that are empty in the archive. */
const emptySubmodules = (tree: SourceTree): string[] =>
  [...(tree.read('.gitmodules') ?? '').matchAll(/^[ \t]*path[ \t]*=[ \t]*(\S.{0,500})$/gm)]
    .map(([, path = '']) => path.trim().replaceAll(/^"|"$|\/$/g, ''))
    .filter((path) => path !== '' && !tree.hasFolder(path))
    .slice(0, maxSubmodules);

/** A warning of empty submodules. Fails if the start imports one: a package of its name in a registry would be a stranger's. */
export function checkSubmodules(tree: SourceTree, unlisted: readonly string[] = []): string[] {
  const empty = emptySubmodules(tree);
  const isImported = (path: string) => path.split('/').some((part) => unlisted.includes(part));
  const missed = empty.filter(isImported);
  if (missed.length > 0)
    throw new BuildError('detect', 'submodule_missing', {
      message: `The archive lacks the git ${submodules(missed)}, which the start imports: ${missed.length > 1 ? 'their folders are' : 'its folder is'} empty.`,
      hint: remedy,
    });
  return empty.length === 0 ? [] : [`The archive lacks the git ${submodules(empty)}. ${remedy}`];
}

const submodules = (paths: string[]) => `submodule${paths.length > 1 ? 's' : ''} ${paths.map(quoteName).join(', ')}`;
