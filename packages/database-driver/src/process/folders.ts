import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree as remove } from '@paddock/safe-files';
import type { Room } from './engine.ts';

/**
 * How a restored content takes the place of another. But for `data` the folders lie in the room, out of the server's reach. Only whole
 * folders are renamed, so that what is found after a crash tells what has to happen, whenever it came:
 *
 *     data, restoring            the copy is being unpacked: it goes, the old content stays
 *     previous, restoring        between the two renames: the old content comes back, the copy goes
 *     previous, data             the restored content has not proved itself yet: it is tried, and the old one comes back if it fails
 *     previous                   the failed one was put aside already: the old content comes back
 *     discarded                  of no use to anybody, perhaps half deleted
 */
export function exchange({ path, data }: Room) {
  const [previous, restoring, discarded] = [join(path, 'previous'), join(path, 'restoring'), join(path, 'discarded')];
  const discard = async (folder: string) => {
    if (!existsSync(folder)) return;
    await remove(discarded);
    await rename(folder, discarded);
    await remove(discarded);
  };

  return {
    restoring,
    /** To be called while no server runs on the store. */
    async recover(): Promise<void> {
      if (existsSync(previous) && !existsSync(data)) await rename(previous, data);
      await remove(restoring);
      await remove(discarded);
    },
    /** Whether the content was restored and no server has accepted connections on it yet. */
    isOnTrial: () => existsSync(previous) && existsSync(data),
    /** Puts the restored content in place. A store without content has nothing to come back to. */
    async swap(): Promise<void> {
      if (existsSync(data)) await rename(data, previous);
      await rename(restoring, data);
    },
    /** The restored content is good. */
    keep: () => discard(previous),
    /** It is not. */
    async putBack(): Promise<void> {
      await discard(data);
      if (existsSync(previous)) await rename(previous, data);
    },
  };
}
