import { posix } from 'node:path';
import type { SourceTree } from '../detect/source-tree.ts';
import { packageOfModule } from '../module-packages.ts';
import type { PythonDependencies } from '../python-dependencies.ts';
import { findPyproject, pythonDependencies } from './dependencies.ts';
import type { EntryFile } from './entry.ts';
import type { Pyproject } from './pyproject.ts';
import { normaliseName, readRequirementNames } from './requirements.ts';
import { standardLibrary } from './standard-library.ts';

/** A folder of the archive above the agent's own; '' for the archive's root. */
export interface FolderAbove {
  folder: string;
  tree: SourceTree;
}

const maxLevels = 6;

/** The folders above `root`, nearest first. */
export function foldersAbove(whole: SourceTree, root: string): FolderAbove[] {
  const above: FolderAbove[] = [];
  for (let folder = root; folder !== '' && above.length < maxLevels; ) {
    folder = posix.dirname(folder) === '.' ? '' : posix.dirname(folder);
    above.push({ folder, tree: whole.below(folder) });
  }
  return above;
}

export const shownFolder = (folder: string): string => (folder === '' ? 'the top of the archive' : folder);

interface Listed {
  dependencies: PythonDependencies | null;
  pyproject: Pyproject | null;
  /** The folder above that lists the dependencies; absent if it is the agent's own. */
  from?: FolderAbove;
}

/** The dependencies listed in the agent's own folder, otherwise those of the nearest folder above with a list or a lock. */
export function listedDependencies(tree: SourceTree, above: () => FolderAbove[]): Listed {
  const pyproject = findPyproject(tree);
  const own = pythonDependencies(tree, pyproject);
  if (own !== null) return { dependencies: own, pyproject };
  for (const from of above()) {
    const project = findPyproject(from.tree);
    const dependencies = pythonDependencies(from.tree, project);
    if (dependencies === null) continue;
    const { file, list } = dependencies;
    // A Dockerfile in a folder above makes an image of something else.
    if (file !== 'Dockerfile' && (list === undefined || list === 'uv.lock')) return { dependencies, pyproject: project, from };
  }
  return { dependencies: null, pyproject };
}

/** The dependencies with the user's added packages. If nothing lists dependencies, the added packages alone. */
export function withAdded(listed: Listed, added: string[]): Listed {
  if (added.length === 0) return listed;
  const dependencies = listed.dependencies ?? addedAlone;
  return { ...listed, dependencies: { ...dependencies, names: new Set([...dependencies.names, ...readRequirementNames(added)]) } };
}

/** The packages themselves are the `extra` of the plan. */
export const addedAlone: PythonDependencies = {
  file: 'the added packages',
  names: new Set(),
  inputs: [],
  needsSource: false,
  lines: [],
  locked: false,
};

/** A package with its version in pip's form; npm writes it as `ddgs@9`. */
export const asRequirement = (added: string): string => added.replace(/(?<=[\w\]])@(?=\d)/, '==');

/** A module that the agent's files import from a folder above their own. */
interface ImportAbove {
  /** Its top-level name. */
  name: string;
  folder: string;
  /** Relative to the agent's folder: `..`. */
  path: string;
  /** The file that imports it. */
  file: string;
}

const maxImports = 5000;

/** Imports of the agent's own folder by its name, and of modules beside it. A name in the dependency list is that of a package. */
export function importsAbove(files: EntryFile[], { tree, above, listed }: { tree: SourceTree; above: FolderAbove[]; listed: Set<string> }) {
  const imports = new Map<string, ImportAbove>();
  const isListed = (name: string) => [name, packageOfModule(name) ?? name].some((one) => listed.has(normaliseName(one)));
  let count = 0;
  for (const { path: file, module } of above.length === 0 ? [] : files)
    for (const dotted of module.paths) {
      const name = dotted.split('.', 1)[0] ?? '';
      if (name === '' || imports.has(name) || standardLibrary.has(name) || ++count > maxImports) continue;
      const places = ['', 'src', posix.dirname(file)];
      if (isListed(name) || places.some((place) => isModule(tree, place, dotted))) continue;
      const level = above.findIndex((one) => isModule(one.tree, '', dotted));
      const folder = above[level]?.folder;
      if (folder !== undefined) imports.set(name, { name, folder, path: '../'.repeat(level + 1).slice(0, -1), file });
    }
  return [...imports.values()];
}

const maxParts = 5;

/** Whether an import means a file of a folder. */
function isModule(tree: SourceTree, place: string, dotted: string): boolean {
  const parts = dotted.split('.', maxParts);
  return parts.some((_, at) => {
    const path = posix.join(place, ...parts.slice(0, at + 1));
    return tree.has(`${path}.py`) || tree.has(`${path}/__init__.py`);
  });
}
