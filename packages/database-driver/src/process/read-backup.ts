import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as breathe } from 'node:timers/promises';
import { createZstdDecompress } from 'node:zlib';
import { readTextBelow, StrangeFile, unlinkBelow, walkBelow } from '@paddock/safe-files';
import { BackupRefused, type DatabaseType } from '../driver.ts';
import { isDiskFull, reason } from './reason.ts';
import { type Place, unpackInto } from './tar.ts';
import { MANIFEST, type Manifest } from './write-backup.ts';

/** Throws `BackupRefused` if the file is missing or differs from the backup that was written. */
export async function verifyBackup({ file, sha256 }: { file: string; sha256: string }, signal: AbortSignal): Promise<void> {
  const hash = createHash('sha256');
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new BackupRefused('The file of this backup is missing.');
    throw error;
  });
  await pipeline(handle.createReadStream(), hash, { signal });
  if (hash.digest('hex') === sha256.toLowerCase()) return;
  throw new BackupRefused('The file of this backup is damaged: it is not what was written. Restore another backup.');
}

/** Unpacks a backup of `type` into a folder that the owner may write. Afterwards the folder contains only plain files and folders. */
export async function readBackup(
  file: string,
  { type, place, signal }: { type: DatabaseType; place: Place; signal: AbortSignal },
): Promise<void> {
  const feed = (to: Writable) => pipeline(createReadStream(file), createZstdDecompress(), to, { signal });
  try {
    await unpackInto(place, feed, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!isDiskFull(error) && isDamage(error))
      throw new BackupRefused('The file of this backup cannot be read: it is not one that Paddock wrote.', { cause: error });
    throw new Error(`The backup could not be unpacked: ${reason(error)}`, { cause: error });
  }
  const manifest = await takeManifest(place.folder);
  if (manifest?.format !== 1) throw new BackupRefused('The file of this backup is not one that this version of Paddock can read.');
  if (manifest.type !== type) throw new BackupRefused(`This is a backup of ${TYPES[manifest.type]}, which ${TYPES[type]} cannot read.`);
  await refuseSpecialFiles(place.folder);
}

const TYPES: Record<DatabaseType, string> = { postgresql: 'PostgreSQL', redis: 'Redis' };

const isDamage = (error: unknown) =>
  (error as NodeJS.ErrnoException).code?.startsWith('ZSTD_') ||
  ['ERR_ZSTD_INVALID_PARAM', 'Z_BUF_ERROR'].includes((error as NodeJS.ErrnoException).code ?? '') ||
  /does not look like a tar archive|Unrecognized archive format|Unexpected EOF|unexpected end of file/i.test((error as Error).message);

const MAX_MANIFEST_BYTES = 10_000;
/** A database of a thousand tables has ten thousand files. */
const MAX_FILES = 5_000_000;
const FILES_AT_ONCE = 5_000;

async function takeManifest(folder: string): Promise<Manifest | undefined> {
  const text = await readTextBelow(folder, MANIFEST, MAX_MANIFEST_BYTES).catch((error: unknown) => {
    if (error instanceof StrangeFile) return undefined;
    throw error; // an error of the disk, not of the backup
  });
  if (text === undefined) return undefined;
  unlinkBelow(folder, MANIFEST);
  try {
    return JSON.parse(text) as Manifest;
  } catch {
    return undefined; // Paddock did not write this file
  }
}

/** The next steps handle the files with our own privileges, and a link could redirect them. */
async function refuseSpecialFiles(folder: string): Promise<void> {
  let seen = 0;
  for (const { kind } of walkBelow(folder, MAX_FILES)) {
    if (++seen % FILES_AT_ONCE === 0) await breathe();
    if (kind === 'file' || kind === 'folder') continue;
    throw new BackupRefused('The file of this backup holds links or devices, which no backup by Paddock does.');
  }
}
