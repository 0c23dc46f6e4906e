import { setTimeout as sleep } from 'node:timers/promises';
import { createIsolatedLoop } from '../jobs/isolated-loop.ts';
import type { Log } from '../log.ts';
import { beatMs } from './register.ts';
import type { DeadNode, NodeStore } from './store.ts';

interface Deps {
  store: NodeStore;
  owner: string;
  register: () => PromiseLike<unknown>;
  timeoutSeconds: number;
  /** Called for a dead node at every heartbeat until nothing of the node is left. */
  takeOver: (dead: DeadNode) => Promise<unknown>;
  /** Called when another process has registered as this node: this process must exit. */
  displaced: () => void;
  log: Log;
}

/** Writes a heartbeat every few seconds, and detects nodes without one. */
export function startHeartbeat({ store, owner, register, timeoutSeconds, takeOver, displaced, log }: Deps) {
  const closing = new AbortController();
  const each = createIsolatedLoop(log, 'taking over from a dead node');

  async function turn() {
    if (!(await store.beat(owner, timeoutSeconds / 2))) {
      if ((await store.find())?.owner) return displaced();
      await register(); // the row is missing: the database was restored from an earlier backup
    }
    await each(
      await store.dead(timeoutSeconds),
      ({ label }) => label,
      async (dead) => {
        if (!closing.signal.aborted) await takeOver(dead);
      },
    );
  }

  async function loop() {
    while (!closing.signal.aborted) {
      await turn().catch((error: unknown) => log.warn({ err: error }, 'heartbeat failed; retrying'));
      await sleep(beatMs(timeoutSeconds), undefined, { signal: closing.signal }).catch(() => 'stopping');
    }
  }
  const looping = loop();
  return {
    /** `isEmpty`: no agent of this node runs any more, so that other nodes can start them at once. */
    async close(isEmpty: boolean) {
      closing.abort();
      await looping;
      await store.leave(owner, isEmpty);
    },
  };
}
