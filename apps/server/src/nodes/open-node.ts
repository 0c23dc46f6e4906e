import { hostname } from 'node:os';
import { machineIdentity } from '@paddock/network';
import type { Config } from '../config.ts';
import { roomy } from '../disk/roomy.ts';
import type { PeriodicJob } from '../jobs/periodic.ts';
import type { Parts } from '../parts.ts';
import { processIdentity } from '../process-identity.ts';
import { startHeartbeat } from './heartbeat.ts';
import { registerNode } from './register.ts';
import { type DeadNode, nodeStore } from './store.ts';

interface Given {
  parts: Pick<Parts, 'sql' | 'reserve' | 'log'>;
  config: Pick<Config, 'dataDir' | 'nodeTimeoutSeconds'>;
  name: string;
  /** Names the store for archives that this node uses. */
  blobStore: string;
  /** Called when another process speaks for this node: this process has to end. */
  displaced: () => void;
}

/** Registers this process as the one that speaks for the node. Throws StartRefused while another process does. */
export async function openNode({ parts, config, name, blobStore, displaced }: Given) {
  const { sql, reserve, log } = parts;
  const owner = processIdentity();
  const machine = machineIdentity();
  const timeoutSeconds = config.nodeTimeoutSeconds;
  const store = roomy(nodeStore(sql, name), reserve);
  const self = { owner, host: hostname(), machine, blob_store: blobStore, timeout_s: timeoutSeconds };
  await registerNode(store, self, config.dataDir);
  const jobs: PeriodicJob[] = [{ name: 'node.sweep', everySeconds: 3600, run: () => store.sweep() }];
  return {
    name,
    machine,
    owner,
    jobs,
    /** Gives signs of life from now on, and hands dead nodes to `takeOver`. */
    beat: (takeOver: (dead: DeadNode) => Promise<unknown>) =>
      startHeartbeat({ store, owner, register: () => store.register(self), timeoutSeconds, takeOver, displaced, log }),
  };
}
