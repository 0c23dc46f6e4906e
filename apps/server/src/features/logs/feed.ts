import type { LogLine } from '@paddock/contract';
import type { Changes } from '../../db/changes.ts';
import { logUnlessOutage } from '../../db/outage.ts';
import type { Log } from '../../log.ts';
import type { LogStore } from './store.ts';

const readLines = 1000;
/** A frame ends after the line that makes it this large. */
const frameBytes = 128 * 1024;
/** Minimum time between two deliveries of one deployment. The first line after a silence is sent at once. */
const batchMs = 50;
/** A reader with this much unsent data gets nothing more until it has caught up; what it missed is then read again for it alone. */
const maxBufferedBytes = 1024 * 1024;
/** A reader that has taken nothing for this long is disconnected. It can reconnect with the last number it has. */
const stallTimeoutMs = 30_000;

export interface Reader {
  send(frame: string): void;
  buffered(): number;
  /** The log is complete and all of it was sent. */
  end(): void;
  /** The reader takes nothing. */
  tooSlow(): void;
}
export type Feed = ReturnType<typeof logFeed>;

interface Deps {
  store: LogStore;
  changes: Changes;
  log: Pick<Log, 'error'>;
  stuckMs?: number;
}

interface Subscription {
  reader: Reader;
  next: number;
  busy: boolean;
  /** Since when too much is unsent, and how many bytes. */
  stuck: { since: number; unsent: number } | undefined;
}
interface Followed {
  subscriptions: Set<Subscription>;
  timer: NodeJS.Timeout | undefined;
  deliveredAt: number;
}

/**
 * Live logs for many readers. Lines are read and serialised once per deployment for all readers at the same number; a reader that is behind
 * gets its own reads.
 */
export function logFeed({ store, changes, log, stuckMs = stallTimeoutMs }: Deps) {
  const failed = logUnlessOutage(log, 'live log delivery failed; retrying');
  const followed = new Map<string, Followed>();
  const unlisten = changes.on('log_lines', (id) => {
    for (const [deployment_id, one] of id ? [[id, followed.get(id)] as const] : followed) if (one) schedule(deployment_id, one);
  });
  // Covers lost notifications, and the end of a log, which depends on the status and not on lines.
  const sweep = setInterval(() => {
    for (const [deployment_id, one] of followed) {
      schedule(deployment_id, one);
      for (const subscription of one.subscriptions) disconnectIfStalled(subscription, stuckMs);
    }
  }, 1000);

  function schedule(deployment_id: string, one: Followed, inMs = one.deliveredAt + batchMs - performance.now()) {
    one.timer ??= setTimeout(
      () => {
        one.timer = undefined;
        one.deliveredAt = performance.now();
        deliver(deployment_id, one).catch(failed);
      },
      Math.max(0, inMs),
    );
  }

  async function deliver(deployment_id: string, one: Followed) {
    const groups = new Map<number, Subscription[]>();
    for (const subscription of one.subscriptions) {
      if (subscription.busy || subscription.reader.buffered() >= maxBufferedBytes) continue;
      subscription.busy = true; // mark all now: the next delivery may begin while one group is read
      groups.set(subscription.next, [...(groups.get(subscription.next) ?? []), subscription]);
    }
    try {
      for (const [next, group] of [...groups]) {
        const lines = await store.after(deployment_id, next - 1, readLines);
        for (const piece of frames(lines)) sendTo(group, piece);
        if (lines.length === 0) await endIfComplete(deployment_id, next, group);
        for (const subscription of group) subscription.busy = false;
        groups.delete(next);
        // A reader that is behind continues at once; only its own reading slows it down.
        if (lines.length === readLines) schedule(deployment_id, one, 0);
        else if (lines.length) schedule(deployment_id, one);
      }
    } finally {
      for (const subscription of [...groups.values()].flat()) subscription.busy = false; // those not served because of an error
    }
  }

  async function endIfComplete(deployment_id: string, next: number, group: readonly Subscription[]) {
    // Checked before the last read, so that the read surely includes everything.
    if (!(await store.isComplete(deployment_id))) return;
    if ((await store.after(deployment_id, next - 1, 1)).length === 0) for (const { reader } of group) reader.end();
  }

  return {
    /** Sends every line after the given number in order and once: first stored lines, then live ones. */
    follow(deployment_id: string, after: number, reader: Reader): () => void {
      const one = followed.get(deployment_id) ?? { subscriptions: new Set(), timer: undefined, deliveredAt: 0 };
      followed.set(deployment_id, one);
      const subscription = { reader, next: after + 1, busy: false, stuck: undefined };
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

/** Serialises once for the whole group. A reader with too much unsent data is skipped. */
function sendTo(group: readonly Subscription[], lines: readonly LogLine[]) {
  const first = lines[0]!.number;
  const last = lines.at(-1)!.number;
  const ready = group.filter(({ next, reader }) => next <= first && reader.buffered() < maxBufferedBytes);
  if (ready.length === 0) return;
  const frame = JSON.stringify(lines);
  for (const subscription of ready) {
    subscription.reader.send(frame);
    subscription.next = last + 1;
  }
}

function* frames(lines: readonly LogLine[]): Generator<readonly LogLine[]> {
  let from = 0;
  let bytes = 0;
  for (const [i, line] of lines.entries()) {
    bytes += line.message.length + 150;
    if (bytes < frameBytes && i + 1 < lines.length) continue;
    yield lines.slice(from, i + 1);
    from = i + 1;
    bytes = 0;
  }
}

function disconnectIfStalled(subscription: Subscription, stuckMs: number) {
  const unsent = subscription.reader.buffered();
  if (unsent < maxBufferedBytes) subscription.stuck = undefined;
  else if (!subscription.stuck || unsent < subscription.stuck.unsent) subscription.stuck = { since: performance.now(), unsent };
  else if (performance.now() - subscription.stuck.since > stuckMs) subscription.reader.tooSlow();
}
