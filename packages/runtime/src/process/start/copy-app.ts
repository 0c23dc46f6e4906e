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

/** Up to here copying in this process takes less of its time than starting the two tools would. */
const SMALL_ENTRIES = 64;
const SMALL_BYTES = 512 * 1024;

interface Entry {
  /** Relative to the tree; empty for its root. */
  name: string;
  stat: Stats;
}

/** Copies an app for its instance. Modes and links are kept, owners are not; a link is never followed. */
export async function copyApp(from: string, to: string, owner: number | undefined, signal: AbortSignal): Promise<void> {
  const entries = smallTree(from);
  if (entries) return copySmall(entries, from, to, owner);
  const options = { signal, timeoutMs: 120_000 };
  await run('cp', ['-R', '-P', '--preserve=mode,timestamps,links', '--reflink=auto', '-T', '--', from, to], options);
  if (owner !== undefined) await run('chown', ['-hR', `${owner}:${owner}`, '--', to], options);
}

/** The tree, folders before what they hold; undefined when it is large or has anything but folders, single files and links. */
function smallTree(root: string): Entry[] | undefined {
  const entries: Entry[] = [];
  let bytes = 0;
  const open = [''];
  for (let name = open.shift(); name !== undefined; name = open.shift()) {
    const stat = lstatSync(join(root, name));
    const isPlain = stat.isDirectory() || stat.isSymbolicLink() || (stat.isFile() && stat.nlink === 1);
    bytes += stat.size;
    if (!isPlain || bytes > SMALL_BYTES || entries.push({ name, stat }) > SMALL_ENTRIES) return undefined;
    if (!stat.isDirectory()) continue;
    const inside = namesIn(root, name, SMALL_ENTRIES - entries.length - open.length);
    if (!inside) return undefined;
    open.push(...inside.map((one) => join(name, one)));
  }
  return entries;
}

/** Of a folder with a million files only so many are looked at as could still be copied here. */
function namesIn(root: string, folder: string, most: number): string[] | undefined {
  try {
    return listBelow(root, folder, most)?.map(({ name }) => name);
  } catch (error) {
    if (error instanceof StrangeFile) return undefined;
    throw error;
  }
}

/** Everything is made anew in a folder that only the platform's user can enter: nothing can lead it elsewhere. */
function copySmall(entries: Entry[], from: string, to: string, owner: number | undefined): void {
  for (const { name, stat } of entries) {
    const [source, target] = [join(from, name), join(to, name)];
    if (stat.isDirectory()) mkdirSync(target, { mode: 0o700 });
    else if (stat.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else copyFileSync(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    if (owner !== undefined) lchownSync(target, owner, owner);
  }
  // From the deepest up: a folder's time changes with what is put into it, and its mode may forbid that.
  for (const { name, stat } of entries.toReversed()) {
    const target = join(to, name);
    if (!stat.isSymbolicLink()) chmodSync(target, stat.mode & 0o777);
    lutimesSync(target, stat.atimeMs / 1000, stat.mtimeMs / 1000);
  }
}
