import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import type { BackupResult, DatabaseType } from '../driver.ts';
import type { Pack, Part, Room } from './engine.ts';
import { reason } from './reason.ts';
import { syncOne } from './sync-folder.ts';
import { packFolder } from './tar.ts';

/** The first file in every backup, which describes the rest. */
export const MANIFEST = 'paddock-backup.json';

export interface Manifest {
  format: 1;
  type: DatabaseType;
  /** Version of the server program. */
  version: string;
}

interface Target {
  file: string;
  room: Room;
  manifest: Manifest;
}

/** Packs the files of a backup. */
type Bring = (pack: Pack, signal: AbortSignal) => Promise<void>;

/** The stream that is compressed into the file. */
interface Entrance {
  entrance: PassThrough;
  signal: AbortSignal;
}

/**
 * Writes the files that `bring` packs to `file`, which appears complete and on disk or not at all: consecutive tar archives, compressed
 * with Zstandard. Throws a sentence with the cause.
 */
export async function writeBackup(target: Target, bring: Bring, signal: AbortSignal): Promise<BackupResult> {
  const { file, manifest } = target;
  const draft = `${file}.draft`;
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const entrance = new PassThrough();
    // The first of the two failures aborts the other, and its error is the cause.
    const written = writeCompressed(entrance, draft, either).catch((error: unknown) => {
      failed.abort(error);
      throw error;
    });
    const brought = bringAll(target, bring, { entrance, signal: either }).catch((error: unknown) => {
      failed.abort(error);
      throw error;
    });
    const [result, bringing] = await Promise.allSettled([written, brought]);
    signal.throwIfAborted();
    if (failed.signal.aborted) throw failed.signal.reason;
    if (bringing.status === 'rejected') throw bringing.reason;
    if (result.status === 'rejected') throw result.reason;
    await rename(draft, file);
    await syncOne(dirname(file));
    return { ...result.value, version: manifest.version };
  } catch (error) {
    await rm(draft, { force: true });
    signal.throwIfAborted();
    throw new Error(`The backup could not be written: ${reason(error)}`, { cause: error });
  }
}

async function bringAll({ room, manifest }: Target, bring: Bring, into: Entrance): Promise<void> {
  const pack: Pack = async (parts) => {
    for (const part of parts) await packPart(part, room, into);
  };
  await pack([{ folder: room.path, include: [], extra: [{ name: MANIFEST, content: JSON.stringify(manifest) }] }]);
  await bring(pack, into.signal);
  into.entrance.end();
}

async function packPart({ folder, include, exclude, extra }: Part, room: Room, { entrance, signal }: Entrance): Promise<void> {
  if (include?.length !== 0) await packFolder({ folder, owner: room.owner }, { include, exclude, to: entrance, signal });
  if (!extra || extra.length === 0) return;
  const aside = mkdtempSync(join(room.path, 'extra-'));
  try {
    for (const { name, content } of extra) {
      mkdirSync(dirname(join(aside, name)), { recursive: true, mode: 0o700 });
      await writeFile(join(aside, name), content, { mode: 0o600 });
    }
    await packFolder({ folder: aside, owner: undefined }, { include: extra.map(({ name }) => name), to: entrance, signal });
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

async function writeCompressed(entrance: PassThrough, draft: string, signal: AbortSignal): Promise<{ size_bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let size = 0;
  const handle = await open(draft, 'w', 0o600);
  try {
    await pipeline(
      entrance,
      createZstdCompress(),
      async function* (pieces: AsyncIterable<Buffer>) {
        for await (const piece of pieces) {
          hash.update(piece);
          size += piece.length;
          yield piece;
        }
      },
      handle.createWriteStream({ flush: true }),
      { signal },
    );
  } finally {
    await handle.close();
  }
  return { size_bytes: size, sha256: hash.digest('hex') };
}
