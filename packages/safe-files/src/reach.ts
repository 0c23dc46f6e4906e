import { closeSync, constants, fstatSync, mkdirSync, openSync, type Stats } from 'node:fs';
import { StrangeFile, strangeOr } from './strange-file.ts';

/**
 * Linux's flag to hold a file without opening it: a FIFO does not wait, a device does nothing, a link is not followed. Node knows no
 * name for it.
 */
const O_PATH = 0x200000;
const HOLD = O_PATH | constants.O_NOFOLLOW;
/** A path of more names than this is nobody's honest work, and each name costs a call. */
export const MAX_DEPTH = 128;

/** A file, folder or whatever else, held by a descriptor: what others put in its place from now on does not matter. */
export interface Held {
  fd: number;
  stats: Stats;
  /** Names exactly this one as long as the descriptor is open. */
  place: string;
}

/**
 * Holds what lies at `path` below `root` while `use` runs. From folder to folder, each held before its names are looked up: Linux's
 * openat by way of /proc, since Node has none. A link on the way is an error, at the end it is held itself. `root` is the platform's
 * own. Undefined when there is nothing.
 */
export function reach<T>(root: string, path: string, use: (held: Held) => T, make = false): T | undefined {
  const names = namesOf(path);
  let fd = openSync(root, HOLD | constants.O_DIRECTORY);
  try {
    for (const name of names) {
      if (make) makeFolder(`${placeOf(fd)}/${name}`);
      const next = step(fd, name, path);
      if (next === undefined) return undefined;
      closeSync(fd);
      fd = next;
    }
    return use({ fd, stats: fstatSync(fd), place: placeOf(fd) });
  } finally {
    closeSync(fd);
  }
}

/** Holds the folder that `path` lies in, and tells the last name in it. With `make`, missing folders are made. */
export function reachParent<T>(root: string, path: string, use: (folder: Held, name: string) => T, make = false): T | undefined {
  const names = namesOf(path);
  const name = names.pop();
  if (name === undefined) throw new Error('The root itself has no folder above it.');
  return reach(root, names.join('/'), (folder) => use(mustBeFolder(folder, path), name), make);
}

export function mustBeFolder(held: Held, path: string): Held {
  if (held.stats.isDirectory()) return held;
  throw new StrangeFile(path, held.stats.isSymbolicLink() ? 'a link' : 'not a folder');
}

export function mustBeFile(held: Held, path: string): Held {
  if (held.stats.isFile()) return held;
  throw new StrangeFile(path, held.stats.isSymbolicLink() ? 'a link' : 'not a file');
}

const placeOf = (fd: number) => `/proc/self/fd/${fd}`;

function step(fd: number, name: string, path: string): number | undefined {
  try {
    return openSync(`${placeOf(fd)}/${name}`, HOLD);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (fstatSync(fd).isSymbolicLink()) throw new StrangeFile(path, 'a link');
    throw strangeOr(error, path);
  }
}

function makeFolder(place: string): void {
  try {
    mkdirSync(place, { mode: 0o755 });
  } catch (error) {
    // Whether the folder above is none is told by the step into the new one.
    if (!['EEXIST', 'ENOTDIR', 'ENAMETOOLONG'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** The names of a relative path; '' is the root. A path that could lead upwards is a mistake of ours, not a tenant's doing. */
function namesOf(path: string): string[] {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (path.startsWith('/') || names.includes('..') || path.includes('\0'))
    throw new Error(`${JSON.stringify(path)} is no path below a folder.`);
  if (names.length > MAX_DEPTH) throw new StrangeFile(path, 'too deep');
  return names;
}
