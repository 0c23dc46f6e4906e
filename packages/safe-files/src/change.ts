import { randomUUID } from 'node:crypto';
import { closeSync, constants, openSync, renameSync, rmSync, unlinkSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { reachParent } from './reach.ts';
import { openBelow } from './read.ts';
import { StrangeFile, strangeOr } from './strange-file.ts';

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Writes a file and replaces any existing entry except a folder. Missing parent folders are created; a link on the path is an error. */
export function writeBelow(root: string, path: string, content: string | Buffer): void {
  reachParent({ root, path, make: true }, (folder, name) => {
    const draft = `${folder.place}/.${randomUUID()}.draft`;
    const fd = openSync(draft, CREATE, 0o644);
    try {
      const bytes = Buffer.from(content);
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
      renameSync(draft, `${folder.place}/${name}`);
    } catch (error) {
      rmSync(draft, { force: true });
      throw strangeOr(error, path);
    } finally {
      closeSync(fd);
    }
  });
}

export interface Copy {
  from: string;
  to: string;
  maxBytes: number;
}

/**
 * Copies one regular file to the same path below `to`, where no entry may exist. Missing folders are created. Returns false if there is no
 * file.
 */
export async function copyBelow(path: string, { from, to, maxBytes }: Copy): Promise<boolean> {
  const source = await openBelow(from, path);
  if (source === undefined) return false;
  try {
    const fd = reachParent({ root: to, path, make: true }, (folder, name) => openSync(`${folder.place}/${name}`, CREATE, 0o644));
    if (fd === undefined) throw new StrangeFile(path, 'not a folder');
    try {
      await pour(source, fd, { path, maxBytes });
    } finally {
      closeSync(fd);
    }
    return true;
  } finally {
    await source.close();
  }
}

async function pour(source: FileHandle, fd: number, { path, maxBytes }: { path: string; maxBytes: number }): Promise<void> {
  const target = await open(`/proc/self/fd/${fd}`, constants.O_WRONLY);
  try {
    const piece = Buffer.allocUnsafe(256 * 1024);
    for (let total = 0; ; ) {
      const { bytesRead } = await source.read(piece, 0, piece.length, total);
      if (bytesRead === 0) return;
      total += bytesRead;
      if (total > maxBytes) throw new StrangeFile(path, 'too large');
      await target.writeFile(piece.subarray(0, bytesRead));
    }
  } finally {
    await target.close();
  }
}

/** Removes an entry that is not a folder. A missing entry is not an error. */
export function unlinkBelow(root: string, path: string): void {
  reachParent({ root, path }, (folder, name) => {
    try {
      unlinkSync(`${folder.place}/${name}`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw strangeOr(error, path);
    }
  });
}
