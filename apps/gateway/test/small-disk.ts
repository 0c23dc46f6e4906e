import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

const MiB = Buffer.alloc(1024 * 1024, 1);

export interface SmallDisk {
  folder: string;
  /** Another program takes all space that is free. */
  takeAll(): void;
  /** The other program gives its space back. */
  free(): void;
  unmount(): void;
}

/** A disk of its own for spools; undefined for an ordinary user, who may not mount one. The caller unmounts it once nothing uses it. */
export function smallDisk(megabytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-spools-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'paddock-spool', folder], { stdio: 'ignore' });
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  const others = join(folder, 'others');
  const take = (bytes: Buffer) => {
    try {
      for (let n = 0; n <= (megabytes * MiB.length) / bytes.length; n++) writeFileSync(others, bytes, { flag: 'a' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  };
  return {
    folder,
    takeAll() {
      take(MiB);
      take(MiB.subarray(0, 4 * 1024));
    },
    free: () => rmSync(others, { force: true }),
    unmount() {
      execFileSync('umount', ['--lazy', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** For `t.skip`. */
export const needsRoot = (t: TestContext): void => t.skip('only root may mount a small disk');
