import { existsSync } from 'node:fs';
import { chmod, chown, mkdir } from 'node:fs/promises';
import { giveTree, removeTree } from '@paddock/safe-files';
import type { DatabaseAddress, DatabaseSpec } from '../driver.ts';
import type { Starter } from './bring-up.ts';
import type { Engine, Room } from './engine.ts';
import { exchange } from './folders.ts';
import { readBackup, verifyBackup } from './read-backup.ts';
import { syncAll } from './sync-folder.ts';

/** Puts a backup in the place of what is there; see `folders.ts` for what a crash leaves. */
export async function restoreBackup(
  starter: Starter,
  engine: Engine,
  spec: DatabaseSpec,
  backup: { file: string; sha256: string },
  signal: AbortSignal,
): Promise<DatabaseAddress> {
  await verifyBackup(backup, signal);
  const { room } = await starter.enter(spec);
  const folders = exchange(room);
  await folders.recover();
  // An earlier restore was cut off: first it shall be decided what there is to come back to.
  if (folders.isOnTrial()) await starter.bringUp(engine, spec, signal);
  const hadContent = existsSync(room.data);
  try {
    await unpack(engine, spec, room, folders.restoring, backup.file, signal);
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

async function unpack(engine: Engine, spec: DatabaseSpec, room: Room, folder: string, file: string, signal: AbortSignal): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  if (room.owner !== undefined) await chown(folder, room.owner, room.owner);
  await readBackup(file, spec.type, { folder, owner: room.owner }, signal);
  await engine.unpacked(folder);
  await chmod(folder, 0o700);
  if (room.owner !== undefined) await giveTree(folder, room.owner);
  // The old content is deleted soon after: by then the new one must not be in memory alone.
  await syncAll(folder, signal);
}
