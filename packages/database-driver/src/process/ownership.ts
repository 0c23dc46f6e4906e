import { basename, dirname } from 'node:path';
import { giveTree, statBelow } from '@paddock/safe-files';

/**
 * Changes the owner of a folder and its content. Skipped if the user already owns the folder, which is changed last. Links are not
 * followed.
 */
export async function giveTo(owner: number | undefined, folder: string): Promise<void> {
  if (owner === undefined) return;
  const found = statBelow(dirname(folder), basename(folder));
  if (!found || found.uid === owner) return;
  await giveTree(folder, owner);
}
