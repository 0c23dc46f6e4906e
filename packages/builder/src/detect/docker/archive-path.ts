import { posix } from 'node:path';
import type { SourceTree } from '../source-tree.ts';
import { type Copy, type Stage, stageNamed } from './stages.ts';

/** Bound of the look-ups: stages copy from each other, so one file can be reached on many paths. */
const maxLooks = 500;

/** Folders of the base image. A build that works at the root of the image writes its files beside them. */
const ofSystem = /^\/(?:bin|boot|dev|etc|home|lib|lib64|media|mnt|opt|proc|root|run|sbin|srv|sys|tmp|usr|var)(?:\/|$)/;

interface Search {
  stages: Stage[];
  tree: SourceTree;
  left: number;
}

/**
 * The source of a path in a stage's image, relative to the archive; '' for the archive's root. A path below a copied folder is returned
 * even if only a build would make the file. Null if no copy leads to the path.
 */
export function archivePath(path: string, stage: Stage, { stages, tree }: Pick<Search, 'stages' | 'tree'>): string | null {
  return find(path, stage, { stages, tree, left: maxLooks });
}

function find(path: string, stage: Stage, search: Search): string | null {
  let first: string | null = null;
  for (const copy of stage.copies.toReversed())
    for (const source of copy.sources) {
      if (--search.left < 0) return first;
      const found = throughCopy(path, { copy, source }, search);
      if (found === null) continue;
      if (found === '' || search.tree.has(found) || search.tree.hasFolder(found)) return found;
      if (!(copy.to === '/' && ofSystem.test(path))) first ??= found;
    }
  return first;
}

function throughCopy(path: string, { copy, source }: { copy: Copy; source: string }, search: Search): string | null {
  const below = within(copy.to, path);
  const name = posix.basename(source);
  const asFile = copy.isFolder ? posix.join(copy.to, name) : copy.to;
  if (copy.from !== null) {
    const stage = stageNamed(search.stages, copy.from);
    // This ends because each stage copies only from earlier ones.
    if (stage === undefined || search.stages.indexOf(stage) === search.stages.length - 1) return null;
    const earlier = { ...search, stages: search.stages.slice(0, search.stages.indexOf(stage) + 1) };
    const inStage = posix.resolve('/', source);
    const found = below === null ? null : find(posix.join(inStage, below), stage, earlier);
    search.left = earlier.left;
    return found ?? (path === asFile ? find(inStage, stage, earlier) : null);
  }
  const plain = within('/', posix.resolve('/', source)) ?? '';
  if (/[*?]/.test(plain)) {
    const candidate = posix.join(posix.dirname(plain), posix.basename(path));
    return posix.dirname(path) === copy.to && search.tree.has(candidate) ? candidate : null;
  }
  if (search.tree.has(plain)) return path === asFile ? plain : null;
  return below === null || !(plain === '' || search.tree.hasFolder(plain)) ? null : posix.join(plain, below).replace(/^\.$/, '');
}

/** The part of `path` below `folder`; null if it lies elsewhere. */
function within(folder: string, path: string): string | null {
  if (path === folder) return '';
  const prefix = folder === '/' ? '/' : `${folder}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : null;
}
