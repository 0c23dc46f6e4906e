import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, open, opendir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError } from '@paddock/contract/errors';
import { newId } from '../ids.ts';
import { writeOnce } from '../secrets/write-once.ts';

export interface Blob {
  id: string;
  bytes: number;
  sha256: string;
}
const nameFile = '.store';
/** Archives per query of the sweep. */
const namesAtOnce = 1_000;

export type Blobs = ReturnType<typeof fileBlobs>;

/** Source archives as files of a folder, which several servers may share. A blob that `receive` returned is on disk. */
export function fileBlobs(folder: string) {
  const path = (id: string) => join(folder, id);
  const listeners = new Set<() => void>();
  return {
    path,
    /** Calls `listener` whenever a stream begins to arrive. */
    whenReceiving: (listener: () => void) => void listeners.add(listener),
    /** The store's id, independent of where it is mounted: servers with the same id share the archives. */
    async storeId(): Promise<string> {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = join(folder, nameFile);
      if (!existsSync(file)) writeOnce(file, randomBytes(8).toString('hex'));
      return (await readFile(file, 'utf8')).trim();
    },
    /** Stores a stream while hashing it. Throws ApiError archive_too_large past `maxBytes`, disk_full without space, and leaves nothing behind. */
    async receive(stream: Readable, maxBytes: number): Promise<Blob> {
      for (const listener of listeners) listener();
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const id = newId('blb');
      const part = `${path(id)}.part`;
      const hash = createHash('sha256');
      let bytes = 0;
      try {
        const file = await open(part, 'wx', 0o600);
        try {
          for await (const chunk of stream as AsyncIterable<Buffer>) {
            bytes += chunk.length;
            if (bytes > maxBytes) throw new ApiError('archive_too_large');
            hash.update(chunk);
            await file.writeFile(chunk);
            // failpoint: upload-streaming
          }
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(part, path(id));
        await syncFolder(folder);
        // failpoint: upload-stored
      } catch (error) {
        await rm(part, { force: true });
        if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw new ApiError('disk_full', { cause: error });
        throw error;
      }
      return { id, bytes, sha256: hash.digest('hex') };
    },
    remove: (id: string) => rm(path(id), { force: true }),
    /** The first bytes, fewer when the blob is shorter. */
    head: (id: string, bytes: number) => readPart(path(id), (size) => [0, Math.min(size, bytes)]),
    /** The last bytes, fewer when the blob is shorter. */
    tail: (id: string, bytes: number) => readPart(path(id), (size) => [Math.max(0, size - bytes), size]),
    /** SHA-256 of the blob's current content. */
    async digest(id: string, signal: AbortSignal): Promise<string> {
      const hash = createHash('sha256');
      await pipeline(createReadStream(path(id), { highWaterMark: 1024 ** 2 }), hash, { signal });
      return hash.digest('hex');
    },
    storeExists: async () => (await stat(folder).catch(unlessMissing)) !== undefined,
    exists: async (id: string) => (await stat(path(id)).catch(unlessMissing)) !== undefined,
    /** Removes blobs that no row names and interrupted uploads, if they are older than `ageMs`. */
    async sweep(isUsed: (ids: string[]) => Promise<Set<string>>, ageMs: number): Promise<number> {
      let removed = 0;
      for await (const names of namesIn(folder)) {
        const used = await isUsed(names);
        for (const name of names) {
          if (used.has(name)) continue;
          const info = await stat(join(folder, name)).catch(unlessMissing);
          if (!info || Date.now() - info.mtimeMs < ageMs) continue;
          await rm(join(folder, name), { force: true });
          removed += 1;
        }
      }
      return removed;
    },
  };
}

/** Ids of a store's archives, in batches; none if the folder is missing. */
async function* namesIn(folder: string): AsyncGenerator<string[]> {
  const entries = await opendir(folder).catch(unlessMissing);
  let names: string[] = [];
  for await (const { name } of entries ?? []) {
    if (name !== nameFile) names.push(name);
    if (names.length < namesAtOnce) continue;
    yield names;
    names = [];
  }
  if (names.length > 0) yield names;
}

/** Returns undefined for a missing file; every other error of the disk is thrown. */
function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}

async function syncFolder(folder: string) {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The bytes of a file from one position up to another, which `place` picks by its size. */
async function readPart(path: string, place: (size: number) => [from: number, to: number]): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const [from, to] = place((await file.stat()).size);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
