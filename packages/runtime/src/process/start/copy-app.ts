import {
  chmodSync,
  constants,
  copyFileSync,
  lchownSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readlinkSync,
  type Stats,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { listBelow, StrangeFile } from '@paddock/safe-files';
import { run } from '../host/run.ts';

/** Up to these bounds, copying in this process is faster than starting the two tools. */
const MAX_SMALL_ENTRIES = 64;
const MAX_SMALL_BYTES = 512 * 1024;

interface Entry {
  /** Path relative to the tree; empty for its root. */
  name: string;
  stat: Stats;
}

export interface CopyOptions {
  /** User id that must own the copy, if it differs from ours. */
  owner: number | undefined;
  signal: AbortSignal;
}

/** Copies an app for its instance. Modes and links are kept, owners are not. Links are never followed. */
export async function copyApp(from: string, to: string, { owner, signal }: CopyOptions): Promise<void> {
  const entries = smallTree(from);
  if (entries) return copySmall(entries, { from, to, owner });
  const options = { signal, timeoutMs: 120_000 };
  await run('cp', ['-R', '-P', '--preserve=mode,timestamps,links', '--reflink=auto', '-T', '--', from, to], options);
  if (owner !== undefined) await run('chown', ['-hR', `${owner}:${owner}`, '--', to], options);
}

/** The tree, folders before their content. Undefined if it is large, or has hard links, devices or other special files. */
function smallTree(root: string): Entry[] | undefined {
  const entries: Entry[] = [];
  let bytes = 0;
  const open = [''];
  for (let name = open.shift(); name !== undefined; name = open.shift()) {
    const stat = lstatSync(join(root, name));
    const isPlain = stat.isDirectory() || stat.isSymbolicLink() || (stat.isFile() && stat.nlink === 1);
    bytes += stat.size;
    if (!isPlain || bytes > MAX_SMALL_BYTES || entries.push({ name, stat }) > MAX_SMALL_ENTRIES) return undefined;
    if (!stat.isDirectory()) continue;
    const inside = namesIn(root, name, MAX_SMALL_ENTRIES - entries.length - open.length);
    if (!inside) return undefined;
    open.push(...inside.map((child) => join(name, child)));
  }
  return entries;
}

/** The names in a folder; undefined if there are more than `max`, so that a folder with a million files is not listed. */
function namesIn(root: string, folder: string, max: number): string[] | undefined {
  try {
    return listBelow(root, folder, max)?.map(({ name }) => name);
  } catch (error) {
    if (error instanceof StrangeFile) return undefined;
    throw error;
  }
}

/** Copies into a new folder that only the platform's user can enter: no link can lead a write elsewhere. */
function copySmall(entries: Entry[], { from, to, owner }: { from: string; to: string; owner: number | undefined }): void {
  for (const { name, stat } of entries) {
    const source = join(from, name);
    const target = join(to, name);
    if (stat.isDirectory()) mkdirSync(target, { mode: 0o700 });
    else if (stat.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else copyFileSync(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    if (owner !== undefined) lchownSync(target, owner, owner);
  }
  // Deepest entries first: a new entry changes its folder's time, and the folder's mode may forbid it.
  for (const { name, stat } of entries.toReversed()) {
    const target = join(to, name);
    if (!stat.isSymbolicLink()) chmodSync(target, stat.mode & 0o777);
    lutimesSync(target, stat.atimeMs / 1000, stat.mtimeMs / 1000);
  }
}
