import { type Dir, type Dirent, opendirSync } from 'node:fs';
import { MAX_DEPTH, mustBeFolder, reach } from './reach.ts';
import { StrangeFile } from './strange-file.ts';

export type Kind = 'file' | 'folder' | 'link' | 'other';

export interface Entry {
  /** Relative to the root of the walk. */
  path: string;
  kind: Kind;
}

/** Kind, size and owner of an entry (of a link itself). Undefined if nothing exists, or if the path leads over a link. */
export function statBelow(root: string, path: string): { kind: Kind; size: number; uid: number } | undefined {
  try {
    return reach({ root, path }, ({ stats }) => ({ kind: toKind(stats), size: stats.size, uid: stats.uid }));
  } catch (error) {
    if (error instanceof StrangeFile) return undefined;
    throw error;
  }
}

/** The entries of a folder, unordered; undefined if there is no folder. Throws `StrangeFile` if there are more than `maxEntries`. */
export function listBelow(root: string, path: string, maxEntries: number): { name: string; kind: Kind }[] | undefined {
  return reach({ root, path }, (held) => {
    const folder = opendirSync(mustBeFolder(held, path).place, { bufferSize: 256 });
    try {
      return readEntries(folder, path, maxEntries).map((entry) => ({ name: entry.name, kind: toKind(entry) }));
    } finally {
      folder.closeSync();
    }
  });
}

/**
 * All entries below a folder, each folder before its content. Links are listed and not followed; `enter` decides which folders are listed.
 * Throws `StrangeFile` if there are more than `maxEntries` entries in all, or if folders are nested too deep.
 */
export function* walkBelow(root: string, maxEntries: number, enter: (entry: Entry) => boolean = () => true): Generator<Entry> {
  const pending = [''];
  let left = maxEntries;
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    if (folder.split('/').length > MAX_DEPTH) throw new StrangeFile(folder, 'too deep');
    const entries = listBelow(root, folder, left) ?? [];
    left -= entries.length;
    for (const { name, kind } of entries) {
      const entry = { path: folder === '' ? name : `${folder}/${name}`, kind };
      yield entry;
      if (kind === 'folder' && enter(entry)) pending.push(entry.path);
    }
  }
}

function readEntries(folder: Dir, path: string, maxEntries: number): Dirent[] {
  const found: Dirent[] = [];
  for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
    if (found.length === maxEntries) throw new StrangeFile(path, 'too many entries');
    found.push(entry);
  }
  return found;
}

interface Typed {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

function toKind(one: Typed): Kind {
  if (one.isFile()) return 'file';
  if (one.isDirectory()) return 'folder';
  return one.isSymbolicLink() ? 'link' : 'other';
}
