import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree as remove } from '@paddock/safe-files';
import type { Room } from './engine.ts';

/**
 * Replaces the old content by restored content. All folders except `data` are in the room, where the server cannot reach them. Only whole
 * folders are renamed, so after a crash at any moment the existing folders determine the recovery:
 *
 *     data, restoring            the copy is being unpacked: it is deleted, the old content is kept
 *     previous, restoring        between the two renames: the old content is moved back, the copy is deleted
 *     previous, data             no server has accepted connections on the restored content: it is tried, otherwise the old content is moved back
 *     previous                   the restored content failed and was discarded: the old content is moved back
 *     discarded                  no longer needed, perhaps partly deleted
 */
export function exchange({ path, data }: Room) {
  const previous = join(path, 'previous');
  const restoring = join(path, 'restoring');
  const discarded = join(path, 'discarded');
  const discard = async (folder: string) => {
    if (!existsSync(folder)) return;
    await remove(discarded);
    await rename(folder, discarded);
    await remove(discarded);
  };

  return {
    restoring,
    /** Call this while no server runs on the store. */
    async recover(): Promise<void> {
      if (existsSync(previous) && !existsSync(data)) await rename(previous, data);
      await remove(restoring);
      await remove(discarded);
    },
    /** Whether the content was restored and no server has accepted connections on it yet. */
    isOnTrial: () => existsSync(previous) && existsSync(data),
    /** Renames the restored content to its final place. Without old content there is nothing to move back later. */
    async swap(): Promise<void> {
      if (existsSync(data)) await rename(data, previous);
      await rename(restoring, data);
    },
    /** The restored content is good: deletes the old content. */
    keep: () => discard(previous),
    /** The restored content is not good: brings the old content back. */
    async putBack(): Promise<void> {
      await discard(data);
      if (existsSync(previous)) await rename(previous, data);
    },
  };
}
