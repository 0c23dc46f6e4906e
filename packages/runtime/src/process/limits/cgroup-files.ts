import { readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Controller = 'memory' | 'cpu' | 'cpuacct' | 'pids';

/** The control group of one sandbox. The paths are recorded, because a later driver may be elsewhere in the tree. */
export interface Cgroup {
  version: 1 | 2;
  folders: Record<Controller, string>;
}

export function put(folder: string, file: string, value: string): void {
  writeFileSync(join(folder, file), value);
}

export function putIfPossible(folder: string, file: string, value: string): void {
  try {
    put(folder, file, value);
  } catch {
    // this kernel or container does not offer the file
  }
}

export function get(folder: string, file: string): string | undefined {
  try {
    return readFileSync(join(folder, file), 'utf8');
  } catch {
    return undefined; // the group is gone, or has no such file
  }
}

/** Returns true once the group is gone. A group that still has processes is not removed. */
export function tryRemove(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
