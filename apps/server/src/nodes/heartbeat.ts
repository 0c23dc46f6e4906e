import { setTimeout as sleep } from 'node:timers/promises';
import { eachOf } from '../jobs/each.ts';
import type { Log } from '../log.ts';
import { beatMs } from './register.ts';
import type { DeadNode, NodeStore } from './store.ts';

interface Parts {
  store: NodeStore;
  owner: string;
  register: () => PromiseLike<unknown>;
  timeoutS: number;
  /** Called for every dead node again until nothing of it is left. */
  takeOver: (dead: DeadNode) => Promise<unknown>;
  /** Another process speaks for this node: this one has to leave. */
  displaced: () => void;
  log: Log;
}

/** Says every few seconds that this node lives, and looks whether another one does not any more. */
export function startHeartbeat({ store, owner, register, timeoutS, takeOver, displaced, log }: Parts) {
  const closing = new AbortController();
  const each = eachOf(log, 'taking over from a dead node');

  async function turn() {
    if (!(await store.beat(owner, timeoutS / 2))) {
      if ((await store.find())?.owner) return displaced();
      await register(); // the row is gone: the database was restored to an earlier day
    }
    await each(
      await store.dead(timeoutS),
      ({ label }) => label,
      async (dead) => void (closing.signal.aborted || (await takeOver(dead))),
    );
  }

  async function loop() {
    while (!closing.signal.aborted) {
      await turn().catch((error: unknown) => log.warn({ err: error }, 'a sign of life could not be given; tried again'));
      await sleep(beatMs(timeoutS), undefined, { signal: closing.signal }).catch(() => 'stopping');
    }
  }
  const looping = loop();
  return {
    /** `isEmpty`: no agent of this node runs any more, so others need not wait before they start them. */
    async close(isEmpty: boolean) {
      closing.abort();
      await looping;
      await store.leave(owner, isEmpty);
    },
  };
}
