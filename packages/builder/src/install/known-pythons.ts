import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

type Known = Record<string, { file: string; version: string }>;

/**
 * The versions of Pythons by their paths. `ask` starts one, which takes about 50 ms of processor time. Its answer is kept in a file of
 * `folder` as long as the program is the same file: device, inode, size and times. A Python that does not run is asked again the next time.
 */
export async function knownPythons(folder: string | undefined, ask: (path: string) => Promise<string | null>) {
  const place = folder && join(folder, 'pythons.json');
  const before = place ? await read(place) : {};
  const now: Known = {};
  return {
    async readVersion(path: string): Promise<string | null> {
      const file = await readIdentity(path);
      if (file === undefined) return null;
      const earlier = Object.hasOwn(before, path) ? before[path] : undefined;
      const version = earlier?.file === file ? earlier.version : await ask(path);
      if (version !== null) now[path] = { file, version };
      return version;
    },
    /** Writes the versions. If writing fails, on a full disk for example, nothing is lost: the Pythons are asked again. */
    async keep(): Promise<void> {
      if (!place || !folder || JSON.stringify(now) === JSON.stringify(before)) return;
      const draft = `${place}.${randomUUID()}`;
      try {
        await mkdir(folder, { recursive: true, mode: 0o755 });
        await writeFile(draft, JSON.stringify(now), { mode: 0o600 });
        await rename(draft, place);
      } catch {
        await rm(draft, { force: true });
      }
    },
  };
}

/** Undefined if the file no longer exists. */
async function readIdentity(path: string): Promise<string | undefined> {
  try {
    const { dev, ino, size, mtimeMs, ctimeMs } = await stat(path);
    return [dev, ino, size, mtimeMs, ctimeMs].join(' ');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function read(place: string): Promise<Known> {
  try {
    const read = JSON.parse(await readFile(place, 'utf8')) as Known | null;
    return read && typeof read === 'object' ? read : {};
  } catch {
    return {}; // the first search, or a truncated file
  }
}
