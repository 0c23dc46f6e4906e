import { existsSync } from 'node:fs';
import { chmod, chown, mkdir } from 'node:fs/promises';
import { giveTree, removeTree } from '@paddock/safe-files';
import type { DatabaseAddress, DatabaseSpec } from '../driver.ts';
import type { Engine, Room } from './engine.ts';
import { exchange } from './folders.ts';
import { readBackup, verifyBackup } from './read-backup.ts';
import type { Starter } from './start-database.ts';
import { syncAll } from './sync-folder.ts';

export interface Restore {
  engine: Engine;
  spec: DatabaseSpec;
  backup: { file: string; sha256: string };
  signal: AbortSignal;
}

/** Replaces the content of a database by a backup. See `folders.ts` for the folders that a crash leaves. */
export async function restoreBackup(starter: Starter, restore: Restore): Promise<DatabaseAddress> {
  const { engine, spec, backup, signal } = restore;
  await verifyBackup(backup, signal);
  const room = await starter.enter(spec);
  const folders = exchange(room);
  await folders.recover();
  // An earlier restore was interrupted. A start decides first which content is kept.
  if (folders.isOnTrial()) await starter.bringUp(engine, spec, signal);
  const hadContent = existsSync(room.data);
  try {
    await unpack(restore, room, folders.restoring);
    signal.throwIfAborted();
  } catch (error) {
    await removeTree(folders.restoring);
    throw error;
  }
  await starter.stop(spec.id);
  await folders.swap();
  try {
    const { address, undone } = await starter.bringUp(engine, spec, signal);
    if (!undone) return address;
    throw new Error(`The restored database did not start; the one before runs again. ${undone.message}`, { cause: undone });
  } catch (error) {
    if (!hadContent && !signal.aborted) {
      await starter.stop(spec.id);
      await folders.putBack();
    }
    throw error;
  }
}

async function unpack({ engine, spec, backup, signal }: Restore, room: Room, folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  if (room.owner !== undefined) await chown(folder, room.owner, room.owner);
  await readBackup(backup.file, { type: spec.type, place: { folder, owner: room.owner }, signal });
  await engine.unpacked(folder);
  await chmod(folder, 0o700);
  if (room.owner !== undefined) await giveTree(folder, room.owner);
  // The old content is deleted soon after, so the new content must be on disk by then.
  await syncAll(folder, signal);
}
