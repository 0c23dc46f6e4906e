import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { SystemParts } from '../system-packages.ts';
import { hostCommand } from './host-command.ts';

/** Folders in which agents find programs besides their own. */
const programFolders = ['/usr/local/bin', '/usr/bin', '/bin'];
const libraryFolders = ['/usr/lib', '/usr/lib64', '/lib', '/usr/local/lib'];

/**
 * Programs and libraries that agents of this machine have besides languages. Sandboxes show them `/usr`, so a link to a place outside does
 * not count.
 */
export async function findSystemParts(signal: AbortSignal): Promise<SystemParts> {
  const programs = new Set<string>();
  for (const folder of programFolders)
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => []))
      if (entry.isFile() || (entry.isSymbolicLink() && (await isSeen(join(folder, entry.name))))) programs.add(entry.name);
  return { programs: [...programs].sort(), libraries: [...new Set(await libraries(signal))].sort() };
}

async function isSeen(path: string): Promise<boolean> {
  const real = await realpath(path).catch(() => '');
  return /^\/(usr|bin|sbin|lib)\//.test(real);
}

async function libraries(signal: AbortSignal): Promise<string[]> {
  try {
    const lines = (await hostCommand('/sbin/ldconfig', ['-p'], { signal, timeoutMs: 10_000 })).split('\n');
    // `libGL.so.1 (libc6,x86-64) => /lib/x86_64-linux-gnu/libGL.so.1`
    return lines.map((line) => line.trim().split(' ', 1)[0] ?? '').filter((name) => name.startsWith('lib'));
  } catch {
    signal.throwIfAborted();
    // Alpine's ldconfig prints no list, so libraries are searched in the folders of its loader.
    const found = await Promise.all(libraryFolders.map((folder) => readdir(folder).catch(() => [])));
    return found.flat().filter((name) => name.startsWith('lib') && name.includes('.so'));
  }
}
