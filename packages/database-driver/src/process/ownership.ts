import { basename, dirname } from 'node:path';
import { giveTree, lookBelow } from '@paddock/safe-files';

/** Gives a folder and all in it to a user, unless it is already his: then all in it is, since it was given last. Links are not followed. */
export async function giveTo(owner: number | undefined, folder: string): Promise<void> {
  if (owner === undefined) return;
  const found = lookBelow(dirname(folder), basename(folder));
  if (!found || found.uid === owner) return;
  await giveTree(folder, owner);
}
