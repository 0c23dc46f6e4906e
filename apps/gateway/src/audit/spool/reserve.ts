import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Room on the disk that is kept for the records of requests that were let in before the disk was full. */
export function reserve(folder: string, bytes: number) {
  const path = join(folder, 'reserve');
  let isHeld = false;
  return { fill, release };

  /** False if the disk has no room for it. */
  function fill(): boolean {
    if (isHeld) return true;
    try {
      const fd = openSync(path, 'w', 0o600);
      try {
        for (let written = 0; written < bytes; ) written += writeSync(fd, Buffer.alloc(Math.min(bytes - written, 64 * 1024)));
      } finally {
        closeSync(fd);
      }
      isHeld = true;
    } catch {
      rmSync(path, { force: true });
    }
    return isHeld;
  }

  /** False if it was used already. */
  function release(): boolean {
    if (!isHeld) return false;
    isHeld = false;
    rmSync(path, { force: true });
    return true;
  }
}
