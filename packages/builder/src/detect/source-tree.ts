import { join } from 'node:path';
import { listBelow, readStartBelow } from '@paddock/safe-files';

/** What detection may see of the unpacked source: a list of paths and bounded reads. */
export interface SourceTree {
  /** Relative to the tree's root, sorted; installed packages and hidden version-control folders are left out. */
  files: string[];
  has: (path: string) => boolean;
  hasFolder: (path: string) => boolean;
  /** At most 1 MiB of a file as text; null when there is none. */
  read: (path: string) => string | null;
  /** The same tree seen from one of its folders. */
  below: (folder: string) => SourceTree;
}

const skipped = new Set(['node_modules', '.venv', 'venv', '.git', '__pycache__', 'site-packages']);
const maxFiles = 20_000;
/** An archive holds fewer. */
const maxEntries = 100_000;
const maxRead = 1024 ** 2;

/** Lists an unpacked archive once. */
export async function openTree(dir: string): Promise<SourceTree> {
  const files: string[] = [];
  const pending = [''];
  while (pending.length > 0 && files.length < maxFiles) {
    const folder = pending.pop() ?? '';
    for (const { name, kind } of listBelow(dir, folder, maxEntries) ?? []) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (kind === 'file') files.push(path);
      else if (kind === 'folder' && !skipped.has(name)) pending.push(path);
    }
  }
  return treeOf(dir, files.sort());
}

function treeOf(dir: string, files: string[]): SourceTree {
  const known = new Set(files);
  return {
    files,
    has: (path) => known.has(path),
    hasFolder: (path) => files.some((f) => f.startsWith(`${path}/`)),
    read: (path) => (known.has(path) ? readStart(dir, path) : null),
    below: (folder) => {
      const prefix = folder === '' ? '' : `${folder}/`;
      return treeOf(
        join(dir, folder),
        files.filter((f) => f.startsWith(prefix)).map((f) => f.slice(prefix.length)),
      );
    },
  };
}

function readStart(dir: string, path: string): string {
  const text = readStartBelow(dir, path, maxRead)?.toString('utf8') ?? '';
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
