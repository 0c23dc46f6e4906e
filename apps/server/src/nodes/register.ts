import { setTimeout as sleep } from 'node:timers/promises';
import { isGone } from '../process-identity.ts';
import { StartRefused } from '../start-refused.ts';
import type { NodeStore, Registration } from './store.ts';

/** So often a node says that it lives: several times within the time after which it counts as dead. */
export const beatMs = (timeoutS: number) => Math.min(5_000, (timeoutS * 1000) / 6);

/**
 * Makes this process the one that speaks for its data directory. A copy of the directory, or one that two machines share, would make two servers
 * fight over the same agents: if the other one still gives signs of life, this one refuses to start.
 */
export async function registerNode(store: NodeStore, node: Registration, dataDir: string) {
  const timeoutS = node.timeout_s;
  const before = await store.find();
  if (before?.owner && !isGone(before.owner) && before.silent_s < timeoutS) {
    await sleep(beatMs(timeoutS) * 3);
    const now = await store.find();
    if (now?.owner && now.silent_s < before.silent_s + beatMs(timeoutS) / 500)
      throw new StartRefused(
        `Another server, on ${before.host}, runs with a copy of ${dataDir} or shares it. Give each server a data directory of its own: start this one with another PADDOCK_DATA_DIR, or delete the file "installation" in a copy.`,
      );
  }
  await store.register(node);
}

/** Servers that keep archives in different places cannot build what the other one received. */
export async function refuseOtherArchives(store: NodeStore, blobStore: string, blobDir: string, timeoutS: number) {
  const other = (await store.living(timeoutS)).find((one) => one.blob_store !== blobStore);
  if (other)
    throw new StartRefused(
      `The server on ${other.host} keeps uploaded archives in another folder than this one (${blobDir}). Give all servers of a database the same folder: PADDOCK_BLOB_URL=file:///…`,
    );
}
