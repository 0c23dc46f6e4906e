import { type FileHandle, open } from 'node:fs/promises';
import { setImmediate as breathe } from 'node:timers/promises';
import { type Entry, openFileOrFolder, walkBelow } from '@paddock/safe-files';

const MOST_FILES = 5_000_000;
const FILES_AT_ONCE = 5_000;
/** More at a time do not help: so many threads does Node have for files. */
const AT_A_TIME = 4;

/** Writes a folder and all in it to disk: files first, so that no name on disk leads to nothing. Waits for nobody else's data. */
export async function syncAll(folder: string, signal: AbortSignal): Promise<void> {
  const entries: Entry[] = [];
  for (const entry of walkBelow(folder, MOST_FILES)) {
    if (entries.push(entry) % FILES_AT_ONCE === 0) await breathe();
  }
  const paths = (wanted: Entry['kind']) => entries.filter(({ kind }) => kind === wanted).map(({ path }) => path);
  for (const batch of [paths('file'), paths('folder'), ['']]) {
    const left = batch.values();
    const worker = async () => {
      for (const path of left) {
        signal.throwIfAborted();
        await syncHandle(await openFileOrFolder(folder, path));
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  }
}

/** A file of the platform's own, or the names in a folder. */
export async function syncOne(path: string): Promise<void> {
  await syncHandle(await open(path, 'r'));
}

async function syncHandle(handle: FileHandle | undefined): Promise<void> {
  try {
    await handle?.sync();
  } finally {
    await handle?.close();
  }
}
