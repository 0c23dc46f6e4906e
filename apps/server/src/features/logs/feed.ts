import type { Changes } from '../../db/changes.ts';
import type { LogStore } from './store.ts';

const frameLines = 500;
const batchMs = 50;
/** A reader that has this much unsent is left alone until it has caught up; what it missed is read again for it alone. */
const bufferedMost = 1024 * 1024;

export interface Reader {
  send(frame: string): void;
  buffered(): number;
  /** The log is complete and all of it was sent. */
  end(): void;
}
export type Feed = ReturnType<typeof logFeed>;

interface Subscription {
  reader: Reader;
  next: number;
  busy: boolean;
}
interface Followed {
  subscriptions: Set<Subscription>;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Live logs for many readers. Lines are read and serialised once per deployment for all readers that stand at the same number;
 * a reader that is behind reads for itself.
 */
export function logFeed(store: LogStore, changes: Changes) {
  const followed = new Map<string, Followed>();
  const unlisten = changes.on('log_lines', (id) => {
    for (const [deployment_id, one] of id ? [[id, followed.get(id)] as const] : followed) if (one) schedule(deployment_id, one);
  });
  // Covers notices that were lost, and the end of a log, which is a matter of status and not of lines.
  const sweep = setInterval(() => {
    for (const [deployment_id, one] of followed) schedule(deployment_id, one);
  }, 1000);

  function schedule(deployment_id: string, one: Followed) {
    one.timer ??= setTimeout(() => {
      one.timer = undefined;
      deliver(deployment_id, one).catch(() => 'the database is away; the next sweep tries again');
    }, batchMs);
  }

  async function deliver(deployment_id: string, one: Followed) {
    const complete = await store.isComplete(deployment_id); // before the read: what is read then is all there is
    const groups = new Map<number, Subscription[]>();
    for (const subscription of one.subscriptions) {
      if (subscription.busy || subscription.reader.buffered() >= bufferedMost) continue;
      subscription.busy = true; // all of them now: while one group is read the next delivery may begin
      groups.set(subscription.next, [...(groups.get(subscription.next) ?? []), subscription]);
    }
    try {
      for (const [next, group] of [...groups]) {
        const lines = await store.after(deployment_id, next - 1, frameLines);
        const frame = lines.length ? JSON.stringify(lines) : '';
        for (const subscription of group) {
          if (frame) subscription.reader.send(frame);
          subscription.next = (lines.at(-1)?.number ?? next - 1) + 1;
          subscription.busy = false;
          if (!lines.length && complete) subscription.reader.end();
        }
        groups.delete(next);
        if (lines.length) schedule(deployment_id, one);
      }
    } finally {
      for (const subscription of [...groups.values()].flat()) subscription.busy = false; // those that a fault kept from being served
    }
  }

  return {
    /** Sends every line after the given number, first what is stored, then live, in order, none twice. */
    follow(deployment_id: string, after: number, reader: Reader): () => void {
      const one = followed.get(deployment_id) ?? { subscriptions: new Set(), timer: undefined };
      followed.set(deployment_id, one);
      const subscription = { reader, next: after + 1, busy: false };
      one.subscriptions.add(subscription);
      schedule(deployment_id, one);
      return () => {
        one.subscriptions.delete(subscription);
        if (one.subscriptions.size) return;
        clearTimeout(one.timer);
        followed.delete(deployment_id);
      };
    },
    close() {
      unlisten();
      clearInterval(sweep);
      for (const one of followed.values()) clearTimeout(one.timer);
    },
  };
}
