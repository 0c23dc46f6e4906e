import { constants, existsSync, realpathSync, statSync } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PythonToolchain, Toolchains } from '../detect/toolchains.ts';
import { hostCommand } from './host-command.ts';
import { knownPythons } from './known-pythons.ts';

const pythonFolders = ['/usr/bin', '/usr/local/bin'];
/** Downloaded by uv, which knows their addresses and hashes. */
const pythonMinors = [9, 10, 11, 12, 13, 14];
/** Majors for which npm has a Node for this machine. */
const nodeMajors = [14, 16, 18, 19, 20, 21, 22, 23, 25, 26];

/**
 * The languages that agents may use on this machine: Pythons that every user can run, and the platform's own Node. `memory` is a folder
 * that caches each Python's answer, so that a later search starts none of them.
 */
export async function findToolchains(signal: AbortSignal, memory?: string): Promise<Toolchains> {
  const found = new Map<string, PythonToolchain>();
  const known = await knownPythons(memory, (path) => readPythonVersion(path, signal));
  for (const folder of pythonFolders) {
    const names = (await readdir(folder).catch(() => [])).filter((name) => /^python3(\.\d+)?$/.test(name)).sort();
    for (const path of names.map((name) => join(folder, name))) {
      if (!(await isForAll(path))) continue;
      const version = await known.readVersion(path);
      if (version !== null && !found.has(version)) found.set(version, { version, path: realpathSync(path) });
    }
  }
  for (const home of await otherHomes()) {
    const path = join(home, 'bin/python3');
    const version = existsSync(path) ? await known.readVersion(path) : null;
    if (version !== null && !found.has(version)) found.set(version, { version, path, home });
  }
  await known.keep();
  const node = { version: process.versions.node, path: process.execPath };
  return { python: [...found.values()], pythonMinors, node, nodeMajors };
}

/**
 * Folders of the Pythons that pyenv and uv keep for the user who runs Paddock. Each is complete by itself, so agents can be given a copy.
 */
async function otherHomes(): Promise<string[]> {
  const { PYENV_ROOT, UV_PYTHON_INSTALL_DIR, XDG_DATA_HOME } = process.env;
  const roots = [
    join(PYENV_ROOT ?? join(homedir(), '.pyenv'), 'versions'),
    UV_PYTHON_INSTALL_DIR ?? join(XDG_DATA_HOME ?? join(homedir(), '.local/share'), 'uv/python'),
  ];
  const homes: string[] = [];
  for (const root of roots) {
    const names = await readdir(root, { withFileTypes: true }).catch(() => []);
    // Links name a minor version and point to one of the other folders.
    for (const entry of names)
      if (entry.isDirectory() && /^(cpython-)?3\.\d+\.\d+(-|$)/.test(entry.name)) homes.push(join(root, entry.name));
  }
  return homes.sort();
}

export async function readPythonVersion(path: string, signal: AbortSignal): Promise<string | null> {
  try {
    const text = await hostCommand(path, ['-I', '-c', 'import sys, venv; print("%d.%d.%d" % sys.version_info[:3])'], {
      signal,
      timeoutMs: 10_000,
    });
    return /^3\.\d+\.\d+$/.test(text.trim()) ? text.trim() : null;
  } catch {
    signal.throwIfAborted();
    return null; // agents cannot use a Python that doesn't run or can't create environments
  }
}

/** Whether an unprivileged user may run it: agents run under their own user ids. */
export async function isForAll(path: string): Promise<boolean> {
  try {
    const real = realpathSync(path);
    await access(real, constants.X_OK);
    if ((statSync(real).mode & 0o005) !== 0o005) return false;
    for (let folder = dirname(real); folder !== dirname(folder); folder = dirname(folder))
      if ((statSync(folder).mode & 0o001) === 0) return false;
    return true;
  } catch (error) {
    if (['ENOENT', 'EACCES', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}
