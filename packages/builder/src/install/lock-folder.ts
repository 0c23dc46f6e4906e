import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const staleMs = 30_000;
const renewMs = 5_000;

/**
 * Takes `path` as a lock between builders of any process: a folder whose modification time its owner renews. The lock of a dead owner is
 * taken over. The lock only saves work: two holders do no harm, since results are published by rename.
 */
export async function tryLock(path: string): Promise<(() => Promise<void>) | null> {
  if (!(await make(path))) {
    if (!(await isStale(path)) || !(await takeOver(path))) return null;
  }
  const renew = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch((error: NodeJS.ErrnoException) => {
      // Another builder took the lock over, for example after the machine was suspended. The work continues; the first published result
      // counts.
      if (error.code === 'ENOENT') clearInterval(renew);
    });
  }, renewMs);
  renew.unref();
  return async () => {
    clearInterval(renew);
    await remove(path);
  };
}

/** Waits for the lock until the signal aborts, or until `done` returns true because nothing is left to do. */
export async function lockOr(path: string, done: () => Promise<boolean>, signal: AbortSignal): Promise<(() => Promise<void>) | 'done'> {
  for (;;) {
    signal.throwIfAborted();
    if (await done()) return 'done';
    const release = await tryLock(path);
    if (release !== null) return release;
    await sleep(200, undefined, { signal });
  }
}

async function make(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function isStale(path: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(path)).mtimeMs >= staleMs;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Builders check the lock again one at a time, because another builder may have taken it over in the meantime. */
async function takeOver(path: string): Promise<boolean> {
  const turn = `${path}.turn`;
  if (!(await make(turn))) {
    if (await isStale(turn)) await remove(turn);
    return false;
  }
  try {
    if (!(await isStale(path))) return false;
    await remove(path);
    return await make(path);
  } finally {
    await remove(turn);
  }
}

/** A rename removes the folder at once, not file by file. */
async function remove(path: string): Promise<void> {
  const gone = `${path}.${randomUUID()}`;
  try {
    await rename(path, gone);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  await rm(gone, { recursive: true, force: true });
}
