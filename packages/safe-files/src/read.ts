import { closeSync, constants, openSync, readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type Held, mustBeFile, reach } from './reach.ts';
import { StrangeFile } from './strange-file.ts';

/** Non-blocking, because opening a file with a lease of its owner would take a minute. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK;
const PIECE_BYTES = 64 * 1024;

/**
 * All bytes of a regular file; undefined if it does not exist. Throws `StrangeFile` for anything else, for a link on the path, and if there
 * are more than `maxBytes`, regardless of the size that the file claims.
 */
export async function readBelow(root: string, path: string, maxBytes: number): Promise<Buffer | undefined> {
  const file = await openBelow(root, path);
  if (file === undefined) return undefined;
  try {
    const pieces: Buffer[] = [];
    for (let total = 0; ; ) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, maxBytes + 1 - total));
      const { bytesRead } = await file.read(piece, 0, piece.length, total);
      if (bytesRead === 0) return Buffer.concat(pieces);
      total += bytesRead;
      if (total > maxBytes) throw new StrangeFile(path, 'too large');
      pieces.push(piece.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

/** The same as text. */
export async function readTextBelow(root: string, path: string, maxBytes: number): Promise<string | undefined> {
  return (await readBelow(root, path, maxBytes))?.toString('utf8');
}

/** The first bytes of a regular file; undefined if it does not exist. Synchronous, so only for small pieces. */
export function readStartBelow(root: string, path: string, bytes: number): Buffer | undefined {
  return reach({ root, path }, (held) => {
    const fd = openSync(mustBeFile(held, path).place, READ);
    try {
      const buffer = Buffer.alloc(Math.min(bytes, held.stats.size));
      let used = 0;
      for (let read = -1; read !== 0 && used < buffer.length; used += read) read = readSync(fd, buffer, used, buffer.length - used, used);
      return buffer.subarray(0, used);
    } finally {
      closeSync(fd);
    }
  });
}

/** A regular file for reading; undefined if there is none. The caller bounds the bytes read. */
export async function openBelow(root: string, path: string): Promise<FileHandle | undefined> {
  return openFile(root, path, (held) => mustBeFile(held, path));
}

/** Opens a folder, for example to flush its names to disk; undefined if there is none. */
export async function openFileOrFolder(root: string, path: string): Promise<FileHandle | undefined> {
  return openFile(root, path, (held) => (held.stats.isDirectory() ? held : mustBeFile(held, path)));
}

async function openFile(root: string, path: string, check: (held: Held) => Held): Promise<FileHandle | undefined> {
  // The checked descriptor itself is reopened for reading, so the file cannot be replaced between check and opening.
  const held = reach({ root, path }, (found) => openSync(check(found).place, READ));
  if (held === undefined) return undefined;
  try {
    return await open(`/proc/self/fd/${held}`, READ);
  } finally {
    closeSync(held);
  }
}
