import { closeSync, constants, fstatSync, mkdirSync, openSync, type Stats } from 'node:fs';
import { StrangeFile, strangeOr } from './strange-file.ts';

/**
 * Linux's flag to hold a file without opening it: a FIFO does not block, a device does nothing, a link is not followed. Node has no name
 * for it.
 */
const O_PATH = 0x200000;
const HOLD = O_PATH | constants.O_NOFOLLOW;
/** Maximum names in a path. Honest paths have fewer, and each name costs a call. */
export const MAX_DEPTH = 128;

/** An entry of a folder, held by a descriptor, so that it cannot be replaced by another entry. */
export interface Held {
  fd: number;
  stats: Stats;
  /** A path to exactly this entry while the descriptor is open. */
  place: string;
}

export interface Place {
  /** A folder of the platform. */
  root: string;
  path: string;
  /** Creates missing folders on the path. */
  make?: boolean;
}

/**
 * Holds the entry at `path` below `root` while `use` runs. Holds each folder of the path before it looks up a name in it, like Linux's
 * openat, by way of /proc, since Node has no openat. A link on the path is an error; a link at its end is held itself. Undefined if nothing
 * exists.
 */
export function reach<T>({ root, path, make = false }: Place, use: (held: Held) => T): T | undefined {
  const names = splitPath(path);
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

/** Holds the folder above the entry at `path`; `use` also gets the entry's name. */
export function reachParent<T>({ root, path, make = false }: Place, use: (folder: Held, name: string) => T): T | undefined {
  const names = splitPath(path);
  const name = names.pop();
  if (name === undefined) throw new Error('The root itself has no folder above it.');
  return reach({ root, path: names.join('/'), make }, (folder) => use(mustBeFolder(folder, path), name));
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
    // If the parent is not a folder, entering the new folder fails.
    if (!['EEXIST', 'ENOTDIR', 'ENAMETOOLONG'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** The names of a relative path; '' is the root. A path that could lead upwards is a bug of the platform, not of a tenant. */
function splitPath(path: string): string[] {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (path.startsWith('/') || names.includes('..') || path.includes('\0'))
    throw new Error(`${JSON.stringify(path)} is no path below a folder.`);
  if (names.length > MAX_DEPTH) throw new StrangeFile(path, 'too deep');
  return names;
}
