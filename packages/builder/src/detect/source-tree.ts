import { closeSync, openSync, readSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

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
const maxRead = 1024 ** 2;

/** Lists an unpacked archive once. */
export async function openTree(dir: string): Promise<SourceTree> {
  const files: string[] = [];
  const pending = [''];
  while (pending.length > 0 && files.length < maxFiles) {
    const folder = pending.pop() ?? '';
    for (const entry of await readdir(join(dir, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile()) files.push(path);
      else if (entry.isDirectory() && !skipped.has(entry.name)) pending.push(path);
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
    read: (path) => (known.has(path) ? readStart(join(dir, path)) : null),
    below: (folder) => {
      const prefix = folder === '' ? '' : `${folder}/`;
      return treeOf(
        join(dir, folder),
        files.filter((f) => f.startsWith(prefix)).map((f) => f.slice(prefix.length)),
      );
    },
  };
}

function readStart(path: string): string {
  const fd = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(maxRead);
    const bytes = readSync(fd, buffer, 0, maxRead, 0);
    const text = buffer.toString('utf8', 0, bytes);
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  } finally {
    closeSync(fd);
  }
}
