import { lchown, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Gives a folder and all in it to a user, unless it is already his. Links are not followed. */
export async function giveTo(owner: number | undefined, folder: string): Promise<void> {
  if (owner === undefined) return;
  const found = await lstat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!found || found.uid === owner) return;
  await giveAll(owner, folder);
}

/** The same for what may lie in a folder that is his. The folder itself comes last: if it is his, so is everything. */
export async function giveAll(owner: number, folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    await lchown(join(entry.parentPath, entry.name), owner, owner);
  }
  await lchown(folder, owner, owner);
}
