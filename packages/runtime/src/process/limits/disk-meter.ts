import { statfs } from 'node:fs/promises';

/** Counted for each file in addition to its content. Otherwise empty files would be free. */
export const INODE_BYTES = 512;

/**
 * Counts the bytes that the file system of `path` has lost since the meter was created, regardless of the user. No single user of the disk
 * can have taken more. Each reading makes one call, which costs microseconds.
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
