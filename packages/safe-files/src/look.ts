import { type Dir, type Dirent, opendirSync } from 'node:fs';
import { MAX_DEPTH, mustBeFolder, reach } from './reach.ts';
import { StrangeFile } from './strange-file.ts';

export type Kind = 'file' | 'folder' | 'link' | 'other';

export interface Entry {
  /** Relative to where the walk began. */
  path: string;
  kind: Kind;
}

/** What lies there, and how large it is; undefined when there is nothing, or only by way of a link. A link itself is told as one. */
export function lookBelow(root: string, path: string): { kind: Kind; size: number; uid: number } | undefined {
  try {
    return reach(root, path, ({ stats }) => ({ kind: kindOf(stats), size: stats.size, uid: stats.uid }));
  } catch (error) {
    if (error instanceof StrangeFile) return undefined;
    throw error;
  }
}

/** The entries of a folder, in no order; undefined when there is none. Throws `StrangeFile` when there are more than `most`. */
export function listBelow(root: string, path: string, most: number): { name: string; kind: Kind }[] | undefined {
  return reach(root, path, (held) => {
    const folder = opendirSync(mustBeFolder(held, path).place, { bufferSize: 256 });
    try {
      return entriesOf(folder, path, most).map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
    } finally {
      folder.closeSync();
    }
  });
}

/**
 * Everything below a folder: folders before what they hold. Links are told and not followed; `enter` says which folders are looked
 * into. Throws `StrangeFile` when there are more than `most` entries in all, or when folders lie too deep.
 */
export function* walkBelow(root: string, most: number, enter: (entry: Entry) => boolean = () => true): Generator<Entry> {
  const pending = [''];
  let left = most;
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

function entriesOf(folder: Dir, path: string, most: number): Dirent[] {
  const found: Dirent[] = [];
  for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
    if (found.length === most) throw new StrangeFile(path, 'too many entries');
    found.push(entry);
  }
  return found;
}

interface Typed {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

function kindOf(one: Typed): Kind {
  if (one.isFile()) return 'file';
  if (one.isDirectory()) return 'folder';
  return one.isSymbolicLink() ? 'link' : 'other';
}
