import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** More at a time do not help: so many threads does Node have for files. */
const AT_A_TIME = 4;

/** Writes a folder and all in it to disk: files first, so that no name on disk leads to nothing. Waits for nobody else's data. */
export async function syncAll(folder: string, signal: AbortSignal): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const paths = (wanted: boolean) =>
    entries.filter((entry) => entry.isDirectory() === wanted).map((entry) => join(entry.parentPath, entry.name));
  for (const batch of [paths(false), paths(true), [folder]]) {
    const left = batch.values();
    const worker = async () => {
      for (const path of left) {
        signal.throwIfAborted();
        await syncOne(path);
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  }
}

/** A file, or the names in a folder. */
export async function syncOne(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
