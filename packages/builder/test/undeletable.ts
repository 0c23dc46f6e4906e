import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Puts files into `folder` that the user of the test cannot remove: root cannot remove a mount, other users nothing in a locked folder. */
export function makeUndeletable(folder: string): void {
  const kept = join(folder, 'kept');
  mkdirSync(kept, { recursive: true });
  if (process.getuid?.() === 0) {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', kept]);
    return;
  }
  writeFileSync(join(kept, 'file'), '');
  chmodSync(kept, 0o500);
}

/** Removes a folder of the test with all such files in it, wherever they were moved. */
export function removeAll(home: string): void {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  for (const place of mounts.map((line) => line.split(' ')[1] ?? '').filter((path) => path.startsWith(`${home}/`)))
    execFileSync('umount', ['--', place]);
  execFileSync('chmod', ['-R', 'u+w', '--', home]);
  rmSync(home, { recursive: true, force: true });
}
