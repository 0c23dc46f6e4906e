import { basename, dirname } from 'node:path';
import { giveTree, lookBelow } from '@paddock/safe-files';

/** Gives a folder and its content to a user. Skipped if the user owns the folder: the folder is given last. Links are not followed. */
export async function giveTo(owner: number | undefined, folder: string): Promise<void> {
  if (owner === undefined) return;
  const found = lookBelow(dirname(folder), basename(folder));
  if (!found || found.uid === owner) return;
  await giveTree(folder, owner);
}
