import { hostname } from 'node:os';
import { machineIdentity } from '@paddock/network';
import type { Config } from '../config/config.ts';
import type { Core } from '../core.ts';
import { withReserve } from '../disk/with-reserve.ts';
import type { PeriodicJob } from '../jobs/periodic.ts';
import { processIdentity } from '../process/process-identity.ts';
import { startHeartbeat } from './heartbeat.ts';
import { registerNode } from './register.ts';
import { type DeadNode, nodeStore } from './store.ts';

interface Deps {
  core: Pick<Core, 'sql' | 'reserve' | 'log'>;
  config: Pick<Config, 'dataDir' | 'nodeTimeoutSeconds'>;
  name: string;
  /** Id of the archive store that this node uses. */
  blobStore: string;
  /** Called when another process owns this node: this process must exit. */
  displaced: () => void;
}

/** Registers this process as the node's owner. Throws StartRefused while another process owns it. */
export async function openNode({ core, config, name, blobStore, displaced }: Deps) {
  const { sql, reserve, log } = core;
  const owner = processIdentity();
  const machine = machineIdentity();
  const timeoutSeconds = config.nodeTimeoutSeconds;
  const store = withReserve(nodeStore(sql, name), reserve);
  const self = { owner, host: hostname(), machine, blob_store: blobStore, timeout_s: timeoutSeconds };
  await registerNode(store, self, config.dataDir);
  const jobs: PeriodicJob[] = [{ name: 'node.sweep', everySeconds: 3600, run: () => store.sweep() }];
  return {
    name,
    machine,
    owner,
    jobs,
    /** Starts the heartbeat, and calls `takeOver` for dead nodes. */
    beat: (takeOver: (dead: DeadNode) => Promise<unknown>) =>
      startHeartbeat({ store, owner, register: () => store.register(self), timeoutSeconds, takeOver, displaced, log }),
  };
}
