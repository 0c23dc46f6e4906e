import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { isData, isSource, namesIn } from './names.ts';

/** `of`: for each file the files that import, run or read it. `erased`: files that are imported for their types. */
export type Readers = { of: Map<string, Set<string>>; erased: ReadonlySet<string> };

type Tree = { root: string; files: ReadonlySet<string>; byName: ReadonlyMap<string, string[]>; folders: ReadonlyMap<string, string[]> };

/** A reader of a folder does not read the folder's tests. */
const TEST = /\.(test|spec)\.tsx?$/;
const MODULE_ENDINGS = ['', '.ts', '.tsx', '.mjs', '.js', '/index.ts'];

/**
 * The readers of each file of a repository, by the names in each source. A text that could name several files names all of them. `files` are
 * paths from the root with slashes; a deleted file has readers as long as something imports it.
 */
export function findReaders(root: string, files: string[]): Readers {
  const tree = treeOf(root, files);
  const packages = readPackages(tree);
  const erased = new Set<string>();
  const readers: Readers = { of: new Map(), erased };
  for (const path of files.filter(isSource)) {
    const { modules, types, paths } = namesIn(path, readFileSync(join(root, path), 'utf8'));
    const loaded = modules.flatMap((name) => moduleFiles(tree, packages, { path, name }));
    for (const file of [...loaded, ...paths.flatMap((text) => pathFiles(tree, path, text))]) addReader(readers, file, path);
    for (const name of types) for (const file of moduleFiles(tree, packages, { path, name })) erased.add(file);
  }
  return readers;
}

export function addReader({ of }: Readers, file: string, reader: string): void {
  if (file !== reader) of.set(file, (of.get(file) ?? new Set()).add(reader));
}

function treeOf(root: string, files: string[]): Tree {
  const byName = new Map<string, string[]>();
  const folders = new Map<string, string[]>();
  for (const file of files) {
    append(byName, posix.basename(file), file);
    if (TEST.test(file) && !isData(file)) continue;
    for (let folder = posix.dirname(file); folder !== '.'; folder = posix.dirname(folder)) append(folders, folder, file);
  }
  return { root, files: new Set(files), byName, folders };
}

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

type Packages = ReadonlyMap<string, { folder: string; exports: Record<string, string> }>;

/** The workspace's own packages by name. */
function readPackages({ root, byName }: Tree): Packages {
  const packages = new Map<string, { folder: string; exports: Record<string, string> }>();
  for (const path of byName.get('package.json') ?? []) {
    if (!/^(?:(?:apps|packages)\/)?[^/]+\/package\.json$/.test(path) || !existsSync(join(root, path))) continue;
    const manifest = JSON.parse(readFileSync(join(root, path), 'utf8')) as { name?: string; exports?: Record<string, string> };
    if (manifest.name) packages.set(manifest.name, { folder: posix.dirname(path), exports: manifest.exports ?? {} });
  }
  return packages;
}

function moduleFiles(tree: Tree, packages: Packages, { path, name }: { path: string; name: string }): string[] {
  const plain = name.replace(/\?.*$/, '');
  if (plain.startsWith('.')) {
    const wanted = posix.join(posix.dirname(path), plain);
    const found = MODULE_ENDINGS.map((ending) => wanted + ending).find((file) => tree.files.has(file));
    return [found ?? wanted];
  }
  const [scope = '', short = '', ...rest] = plain.split('/');
  const own = packages.get(`${scope}/${short}`);
  if (!own) return [];
  const target = own.exports[rest.length === 0 ? '.' : `./${rest.join('/')}`];
  return [posix.join(own.folder, target ?? 'package.json')];
}

/** The files that a text may mean: in the reader's folder, from the root, or anywhere by the end of their paths. */
function pathFiles(tree: Tree, reader: string, text: string): string[] {
  const path = text.replace(/^(?:\*\/)+/, '').replace(/\/+$/, '');
  if (/^[.*/]*$/.test(path)) return [];
  const places = [posix.join(posix.dirname(reader), path), posix.normalize(path)];
  const exact = places.flatMap((place) => (tree.files.has(place) ? [place] : (tree.folders.get(place) ?? [])));
  if (exact.length > 0) return exact;
  if (path.includes('*')) return isTooVague(path) ? [] : places.flatMap((place) => matching(tree, place));
  const end = path.replace(/^(?:\.\.?\/)+/, '');
  return end.includes('/') ? (tree.byName.get(posix.basename(end)) ?? []).filter((file) => file.endsWith(`/${end}`)) : [];
}

/** A pattern is specific enough if it has a file extension, and names a folder or a part of the file name. */
const isTooVague = (pattern: string) => !/\.[a-z]+$/.test(pattern) || /^[*/]*\.[a-z]+$/.test(pattern.replace(/^(?:\.\.?\/)+/, ''));

/** `*` stands for a part of a name, `**` for folders. */
function matching({ files }: Tree, pattern: string): string[] {
  const source = pattern.replace(/[.+]/g, '\\$&').replace(/\*\*\/|\*+/g, (stars) => (stars === '**/' ? '(?:.*/)?' : '[^/]*'));
  const whole = new RegExp(`^${source}$`);
  return [...files].filter((file) => whole.test(file) && !TEST.test(file));
}
