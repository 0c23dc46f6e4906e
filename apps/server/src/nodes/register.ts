import { setTimeout as sleep } from 'node:timers/promises';
import { isGone } from '../process/process-identity.ts';
import { StartRefused } from '../process/start-refused.ts';
import type { NodeStore, Registration } from './store.ts';

/** Heartbeat interval: several fit into the timeout after which a node counts as dead. */
export const beatMs = (timeoutSeconds: number) => Math.min(5_000, (timeoutSeconds * 1000) / 6);

/**
 * Makes this process the owner of its data directory's node. With a copy of the directory, or one that two machines share, two servers would fight
 * over the same agents: this server refuses to start while the other one sends heartbeats.
 */
export async function registerNode(store: NodeStore, node: Registration, dataDir: string) {
  const timeoutSeconds = node.timeout_s;
  const before = await store.find();
  if (before?.owner && !isGone(before.owner) && before.silent_s < timeoutSeconds) {
    await sleep(beatMs(timeoutSeconds) * 3);
    const now = await store.find();
    if (now?.owner && now.silent_s < before.silent_s + beatMs(timeoutSeconds) / 500)
      throw new StartRefused(
        `Another server, on ${before.host}, runs with a copy of ${dataDir} or shares it. Give each server a data directory of its own: start this one with another PADDOCK_DATA_DIR, or delete the file "installation" in a copy.`,
      );
  }
  await store.register(node);
}

/** Facts about a server's own archive store. */
interface OwnArchives {
  blobStore: string;
  blobDir: string;
  timeoutSeconds: number;
}

/** Refuses the start if the other servers use another archive store: none could build archives that another one received. */
export async function refuseOtherArchives(store: NodeStore, { blobStore, blobDir, timeoutSeconds }: OwnArchives) {
  const other = (await store.living(timeoutSeconds)).find((one) => one.blob_store !== blobStore);
  if (other)
    throw new StartRefused(
      `The server on ${other.host} keeps uploaded archives in another folder than this one (${blobDir}). Give all servers of a database the same folder: PADDOCK_BLOB_URL=file:///…`,
    );
}
