import { statfs } from 'node:fs/promises';

/** What a file costs the disk besides its content; without it, empty files would be free. */
export const INODE_BYTES = 512;

/**
 * Counts what the file system of `path` has lost since the meter was made, whoever took it: no single user of the disk can have
 * taken more. Each reading asks once, which costs microseconds.
 */
export function diskMeter(path: string): () => Promise<number> {
  let last: { bytes: number; files: number } | undefined;
  let lost = 0;
  return async () => {
    const { bavail, bsize, ffree } = await statfs(path);
    const now = { bytes: bavail * bsize, files: ffree };
    if (last) lost += Math.max(0, last.bytes - now.bytes) + Math.max(0, last.files - now.files) * INODE_BYTES;
    last = now;
    return lost;
  };
}
