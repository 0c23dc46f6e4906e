import { posix } from 'node:path';
import type { SourceTree } from '../detect/source-tree.ts';
import { packageOfModule } from '../module-packages.ts';
import type { EntryFile } from './entry.ts';
import { standardLibrary } from './standard-library.ts';

/** The name for importing a file: its dotted name and the folder that has to be on the path ('' for the working folder). */
export interface ImportName {
  module: string;
  folder: string;
}

/** Maximum folders between the archive's root and a file. No package is nested deeper. */
const maxLevels = 20;
const dottedPath = /^[A-Za-z_]\w{0,100}(?:\.[A-Za-z_]\w{0,100}){1,20}$/;

/** The name under which a file is imported. */
export function importName(file: EntryFile, tree: SourceTree, nameInPackage: NameInPackage): ImportName {
  const folder = posix.dirname(file.path);
  const stem = posix.basename(file.path, '.py');
  const dotted = (path: string) => path.replaceAll('/', '.').replace(/\.__init__$/, '');
  if (folder === '.') return { module: stem, folder: '' };
  const above = nameByFolderAbove(file, tree);
  if (above !== null) return above;
  const part = nameInPackage(file);
  if (part !== null) return part;
  // A file that imports its neighbours by their bare names needs its own folder on the path.
  const names = [...file.module.imports];
  const bare =
    names.some((name) => isNeighbour(name, file.path, tree) && !tree.has(`${name}.py`)) ||
    (!names.some((name) => stands(tree, '', name)) && names.some((name) => isFolderBeside(name, file.path, tree)));
  if (bare && stem !== '__init__') return { module: stem, folder };
  if (folder === 'src' || folder.startsWith('src/')) {
    const insideSrc = file.module.imports.has('src') || tree.has('src/__init__.py');
    return insideSrc ? { module: dotted(file.path.slice(0, -3)), folder: '' } : { module: dotted(file.path.slice(4, -3)), folder: 'src' };
  }
  return { module: dotted(file.path.slice(0, -3)), folder: '' };
}

/**
 * The name of a file that imports from a folder above itself by that folder's name, such as `from desk.tea` in `services/desk/main.py`. The
 * folder that holds that one has to be on the path. Null if the name stands at the top, where Python finds it.
 */
function nameByFolderAbove({ path, module }: EntryFile, tree: SourceTree): ImportName | null {
  const parts = posix.dirname(path).split('/').slice(0, maxLevels);
  const at = parts.findIndex(
    (name, level) => level > 0 && module.imports.has(name) && !standardLibrary.has(name) && !stands(tree, '', name),
  );
  const top = parts[at] ?? '';
  // Beside the file, the name means a module or a folder of its own.
  if (at === -1 || stands(tree, `${posix.dirname(path)}/`, top)) return null;
  const folder = parts.slice(0, at).join('/');
  // A folder may share its name with a package: each import has to mean a module below the folder.
  const isThere = (dotted: string) => dotted.includes('.') && stands(tree, `${folder}/`, dotted.replaceAll('.', '/'));
  const imported = [...module.paths].filter((each) => each.startsWith(`${top}.`)).slice(0, maxNames);
  const isOwn = imported.every((each) => isThere(each) || isThere(posix.dirname(each.replaceAll('.', '/')).replaceAll('/', '.')));
  const name = nameBelow(folder, path);
  return name === null || imported.length === 0 || !isOwn ? null : { module: name, folder };
}

/** Returns a file's name as part of its package; null if the file does not have to be part of one. */
export type NameInPackage = (file: EntryFile) => ImportName | null;

/**
 * Names files that import their neighbours relatively, which Python allows only within a package. A folder without `__init__.py` is a
 * package too. A file that also imports a neighbour by its bare name, in case the relative import fails, may run as a script.
 */
export function packageNames(tree: SourceTree, files: EntryFile[]): NameInPackage {
  const around = new Map<string, string[]>();
  const namesAround = (path: string) => {
    const top = path.slice(0, path.indexOf('/') + 1);
    const names = around.get(top) ?? importedNames(files.filter((each) => each.path.startsWith(top)));
    around.set(top, names);
    return names;
  };
  return (file) => {
    const { module, path } = file;
    if (!module.isRelative && (module.maxDots === 0 || importsNeighbour(file, tree))) return null;
    const scored = possibleRoots(path, files).flatMap((folder) => {
      const name = nameBelow(folder, path);
      if (name === null) return [];
      const resolved = namesAround(path).filter((each) => stands(tree, folder === '' ? '' : `${folder}/`, each)).length;
      return [{ name: { module: name, folder }, score: resolved + (folder === 'src' && !tree.has('src/__init__.py') ? 0.5 : 0) }];
    });
    return scored.sort((a, b) => b.score - a.score)[0]?.name ?? null;
  };
}

function nameBelow(folder: string, path: string): string | null {
  const below = (folder === '' ? path : path.slice(folder.length + 1)).slice(0, -3).replaceAll('/', '.');
  return dottedPath.test(below) ? below.replace(/\.__init__$/, '') : null;
}

/** Whether a file imports a neighbour by its bare name, as a script can. */
function importsNeighbour({ path, module }: EntryFile, tree: SourceTree): boolean {
  return [...module.imports].some((name) => isNeighbour(name, path, tree));
}

/** Whether a bare name means the file beside it: `app` in `app/app.py` is the package around it. */
function isNeighbour(name: string, path: string, tree: SourceTree): boolean {
  const neighbour = posix.join(posix.dirname(path), `${name}.py`);
  return !standardLibrary.has(name) && neighbour !== path && tree.has(neighbour);
}

/**
 * Whether a bare name means a folder of modules beside the file, such as `src` in `backend/main.py`, and not the module of a package with
 * another name.
 */
function isFolderBeside(name: string, path: string, tree: SourceTree): boolean {
  if (standardLibrary.has(name) || packageOfModule(name) !== undefined) return false;
  const around = posix.dirname(path);
  const below = `${posix.join(around, name)}/`;
  return tree.hasFolder(below.slice(0, -1)) && tree.files.some((file) => file.startsWith(below) && file.endsWith('.py'));
}

/** The folders within which all relative imports around a file stay in one package, outermost first. */
function possibleRoots(path: string, files: EntryFile[]): string[] {
  const folder = posix.dirname(path);
  const parts = folder === '.' ? [] : folder.split('/').slice(0, maxLevels);
  // The number of leading folders that the outermost relative import reaches.
  let top = parts.length;
  for (const { path: other, module } of files) {
    if (!other.startsWith(`${folder}/`)) continue;
    if (module.maxDots > 0) top = Math.min(top, other.split('/').length - module.maxDots);
  }
  return parts.map((_, at) => parts.slice(0, at).join('/')).slice(0, Math.max(0, top));
}

/** Maximum names that are compared to choose between folders. */
const maxNames = 500;

const importedNames = (files: EntryFile[]) =>
  [...new Set(files.flatMap(({ module }) => [...module.imports]))]
    .filter((name) => /^\w+$/.test(name) && !standardLibrary.has(name))
    .slice(0, maxNames);

const stands = (tree: SourceTree, at: string, name: string) => tree.has(`${at}${name}.py`) || tree.hasFolder(`${at}${name}`);
