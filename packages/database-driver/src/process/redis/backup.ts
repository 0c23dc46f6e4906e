import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { unlinkBelow } from '@paddock/safe-files';
import { BackupRefused } from '../../driver.ts';
import type { BackupJob } from '../engine.ts';
import type { AdminConnection } from './admin.ts';

const FOLDER = 'appendonlydir';
const BASE = 'appendonly.aof.1.base.rdb';
const MANIFEST = 'appendonly.aof.manifest';
const SNAPSHOT = 'dump.rdb';
/** A gigabyte takes a disk some ten seconds, and another save may have to finish first. */
const SAVE_MS = 600_000;
const ASK_MS = 100;
const UNSAVED = 'Redis could not write its snapshot: the disk is full, or its memory is used up.';

/** Packs a snapshot of the current data. */
export async function backupRedis(admin: AdminConnection, { room, pack, signal }: BackupJob): Promise<void> {
  try {
    await save(admin, AbortSignal.any([signal, AbortSignal.timeout(SAVE_MS)]));
    await pack([{ folder: room.data, include: [SNAPSHOT] }]);
  } finally {
    unlinkBelow(room.store, `data/${SNAPSHOT}`);
  }
}

/**
 * A server with append-only files ignores snapshots, so the snapshot becomes the base, and the only file, of a set of append-only files.
 */
export async function redisUnpacked(folder: string): Promise<void> {
  const names = await readdir(folder);
  if (names.length !== 1 || names[0] !== SNAPSHOT) throw new BackupRefused('This backup does not hold what a backup of Redis holds.');
  await mkdir(join(folder, FOLDER), { mode: 0o700 });
  await rename(join(folder, SNAPSHOT), join(folder, FOLDER, BASE));
  await writeFile(join(folder, FOLDER, MANIFEST), `file ${BASE} seq 1 type b\n`, { mode: 0o600 });
}

/** Makes the server write a snapshot of the current data. A snapshot in progress began earlier and does not count. */
async function save(admin: AdminConnection, signal: AbortSignal): Promise<void> {
  for (;;) {
    const before = await idle(admin, signal);
    try {
      await admin.send('BGSAVE');
    } catch (error) {
      // The server has just begun a save or a rewrite by itself.
      if (/in progress|already/i.test((error as Error).message)) continue;
      throw new Error(UNSAVED, { cause: error });
    }
    const after = await idle(admin, signal);
    if (after.rdb_last_bgsave_status !== 'ok' || Number(after.rdb_saves) <= Number(before.rdb_saves)) {
      throw new Error(UNSAVED);
    }
    return;
  }
}

/** Waits until no process of the server writes files. The signal bounds the wait. */
async function idle(admin: AdminConnection, signal: AbortSignal): Promise<Record<string, string>> {
  for (;;) {
    signal.throwIfAborted();
    const info = await admin.info('persistence');
    if (info.rdb_bgsave_in_progress === '0' && info.aof_rewrite_in_progress === '0') return info;
    await sleep(ASK_MS, undefined, { signal });
  }
}
