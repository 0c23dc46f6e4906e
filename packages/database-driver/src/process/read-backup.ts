import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { lstat, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { BackupRefused, type DatabaseType } from '../driver.ts';
import { isDiskFull, reason } from './reason.ts';
import { type Place, unpackInto } from './tar.ts';
import { MANIFEST, type Manifest } from './write-backup.ts';

/** Throws `BackupRefused` unless the file is there and is the one that was written. */
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

/** Unpacks into a folder that the owner may write. Afterwards it holds plain files and folders only. */
export async function readBackup(file: string, type: DatabaseType, place: Place, signal: AbortSignal): Promise<void> {
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

async function takeManifest(folder: string): Promise<Manifest | undefined> {
  const file = join(folder, MANIFEST);
  const found = await lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error; // the disk's fault, not the backup's
  });
  if (!found?.isFile() || found.size > 10_000) return undefined;
  const text = readFileSync(file, 'utf8');
  await rm(file);
  try {
    return JSON.parse(text) as Manifest;
  } catch {
    return undefined; // whoever wrote it was not us
  }
}

/** What follows handles the files with our own rights, which a link would lead astray. */
async function refuseSpecialFiles(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile() || entry.isDirectory()) continue;
    throw new BackupRefused('The file of this backup holds links or devices, which no backup by Paddock does.');
  }
}
