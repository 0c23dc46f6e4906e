import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

const MiB = Buffer.alloc(1024 * 1024, 1);

export interface SmallDisk {
  folder: string;
  /** Takes all free space, as another program would. */
  takeAll(): void;
  /** Releases that space. */
  free(): void;
  unmount(): void;
}

/** A separate disk for spools, in memory; undefined for an ordinary user, who may not mount one. The caller unmounts it once nothing uses it. */
export function smallDisk(megabytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-spools-'));
  try {
    run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'paddock-spool', folder]);
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  const others = join(folder, 'others');
  return {
    folder,
    takeAll: () => takeAll(others, megabytes),
    free: () => rmSync(others, { force: true }),
    unmount() {
      run('umount', ['--lazy', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A larger disk, ext4 in a file: space taken on it costs neither memory nor space here. Needs root and loop devices. */
export function largerDisk(megabytes: number): SmallDisk {
  const place = mkdtempSync(join(tmpdir(), 'paddock-spools-'));
  const image = join(place, 'image');
  const folder = join(place, 'disk');
  mkdirSync(folder);
  writeFileSync(image, '');
  truncateSync(image, megabytes * MiB.length);
  run('mkfs.ext4', ['-q', '-F', '-m', '0', image]);
  run('mount', ['-o', 'loop', image, folder]);
  const others = join(folder, 'others');
  mkdirSync(others);
  let files = 0;
  return {
    folder,
    takeAll() {
      for (let tries = 0; tries < 4; tries++) {
        const { bavail, bsize } = statfsSync(folder);
        if (bavail === 0) return;
        // Part of the free space may be needed for the metadata of the rest.
        for (const kib of [Math.floor((bavail * bsize) / 1024), 64, 4])
          try {
            run('fallocate', ['-l', `${kib}KiB`, join(others, String(++files))]);
            break;
          } catch {
            // Too much.
          }
      }
    },
    free: () => rmSync(others, { recursive: true, force: true }),
    unmount() {
      run('umount', ['--lazy', folder]);
      rmSync(place, { recursive: true, force: true });
    },
  };
}

function run(program: string, args: string[]): void {
  execFileSync(program, args, { stdio: 'ignore', timeout: 60_000 });
}

function takeAll(file: string, megabytes: number): void {
  for (const bytes of [MiB, MiB.subarray(0, 4 * 1024)])
    try {
      for (let n = 0; n <= (megabytes * MiB.length) / bytes.length; n++) writeFileSync(file, bytes, { flag: 'a' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
}

/** For `t.skip`. */
export const needsRoot = (t: TestContext): void => t.skip('only root may mount a small disk');
