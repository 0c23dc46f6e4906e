import { join } from 'node:path';
import { listBelow, readStartBelow } from '@paddock/safe-files';

/** The unpacked source as detection sees it: a list of paths and bounded reads. */
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
/** The bound of an archive's entries is lower. */
const maxEntries = 100_000;
const maxRead = 1024 ** 2;

/** Lists an unpacked archive once. `onRead` gets the path of each file before the file is read. */
export async function openTree(dir: string, onRead: (path: string) => void = () => undefined): Promise<SourceTree> {
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
  return createTree(dir, files.sort(), onRead);
}

function createTree(dir: string, files: string[], onRead: (path: string) => void): SourceTree {
  const known = new Set(files);
  const read = (path: string) => {
    onRead(path);
    return readStart(dir, path);
  };
  return {
    files,
    has: (path) => known.has(path),
    hasFolder: (path) => files[firstFrom(files, `${path}/`)]?.startsWith(`${path}/`) === true,
    read: (path) => (known.has(path) ? read(path) : null),
    below: (folder) => {
      const prefix = folder === '' ? '' : `${folder}/`;
      return createTree(
        join(dir, folder),
        files.filter((f) => f.startsWith(prefix)).map((f) => f.slice(prefix.length)),
        onRead,
      );
    },
  };
}

/** Index of the first path that does not sort before `path`. A binary search, because rules check many folders. */
function firstFrom(sorted: string[], path: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? '') < path) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Windows editors write UTF-16 with a byte order mark. Every other file is UTF-8. */
function decodeText(bytes: Buffer | undefined): string {
  if (bytes === undefined) return '';
  const encoding = utf16Marks[bytes.subarray(0, 2).toString('latin1')] ?? 'utf-8';
  return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
}
const utf16Marks: Record<string, string> = { '\xff\xfe': 'utf-16le', '\xfe\xff': 'utf-16be' };

function readStart(dir: string, path: string): string {
  const text = decodeText(readStartBelow(dir, path, maxRead));
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
