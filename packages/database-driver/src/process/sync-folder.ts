import { type FileHandle, open } from 'node:fs/promises';
import { setImmediate as breathe } from 'node:timers/promises';
import { type Entry, openFileOrFolder, walkBelow } from '@paddock/safe-files';

const MAX_FILES = 5_000_000;
const FILES_AT_ONCE = 5_000;
/** The number of Node's threads for files; more at a time do not help. */
const AT_A_TIME = 4;

/** Flushes a folder and its content to disk, files first, so that no name on disk refers to missing content. Special files are skipped. */
export async function syncAll(folder: string, signal: AbortSignal): Promise<void> {
  const entries: Entry[] = [];
  for (const entry of walkBelow(folder, MAX_FILES)) {
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

/** Flushes a file of the platform, or the names in a folder, to disk. */
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
