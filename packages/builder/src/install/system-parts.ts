import { statSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { SystemParts } from '../system-packages.ts';
import { hostCommand } from './host-command.ts';

/** Folders in which agents find programs besides their own. */
const programFolders = ['/usr/local/bin', '/usr/bin', '/bin'];
const libraryFolders = ['/usr/lib', '/usr/lib64', '/lib', '/usr/local/lib'];

/** The cache of `ldconfig`, which is rewritten when a library is installed. */
const libraryCache = '/etc/ld.so.cache';

/**
 * Programs and libraries that agents of this machine have besides languages. Sandboxes show them `/usr`, so a link to a place outside does
 * not count.
 */
export const findSystemParts = systemSearch(programFolders);

/** A search takes some 60 ms, so its result is kept until a program or library is installed or removed. */
export function systemSearch(folders: string[]): (signal: AbortSignal) => Promise<SystemParts> {
  let known: { state: string; parts: SystemParts } | undefined;
  return async (signal) => {
    const state = [...folders, ...libraryFolders, libraryCache].map(timeOf).join(' ');
    if (known?.state !== state) known = { state, parts: await search(folders, signal) };
    return known.parts;
  };
}

/** Installing or removing a file changes its folder's time. */
const timeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

async function search(folders: string[], signal: AbortSignal): Promise<SystemParts> {
  const programs = new Set<string>();
  for (const folder of folders)
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
