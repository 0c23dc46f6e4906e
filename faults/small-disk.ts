import { execFile } from 'node:child_process';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const chunk = Buffer.alloc(1024 * 1024, 1);

/** A file system of its own at an existing folder, small enough to be filled. Needs root. */
export async function smallDisk(folder: string, megabytes: number) {
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'paddock-fault', folder], { timeout: 10_000 });
  const filler = join(folder, 'filler');

  async function fill(leaveKb = 0) {
    for (let n = 0; n <= megabytes; n++) {
      const { bavail, bsize } = await statfs(folder);
      const left = bavail * bsize - leaveKb * 1024;
      if (left < bsize) return;
      await writeFile(filler, chunk.subarray(0, Math.min(chunk.length, left)), { flag: 'a' }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOSPC') throw error; // somebody else took the space first
      });
    }
  }

  return {
    /** Takes all space except the given number of KiB. */
    fill,

    /** Runs the work on a full disk: space that becomes free meanwhile is taken at once. */
    async filledDuring<T>(work: () => Promise<T>): Promise<T> {
      const over = new AbortController();
      await fill();
      const filling = (async () => {
        while (!over.signal.aborted) {
          await fill();
          await sleep(5);
        }
      })();
      try {
        return await work();
      } finally {
        over.abort();
        await filling;
      }
    },

    free: () => rm(filler, { force: true }),
    unmount: () => run('umount', ['--lazy', folder], { timeout: 10_000 }),
  };
}
