import type { Changes } from '../../../db/changes.ts';
import { retryOutages } from '../../../db/retry-outages.ts';
import { startNotifiedLoop } from '../../../jobs/notified-loop.ts';
import type { Log } from '../../../log.ts';
import type { Seal } from '../../../secrets/seal.ts';
import type { Outcome } from './delivery-store.ts';
import type { Claimed, QueueStore } from './queue-store.ts';
import { openValues } from './sealed-values.ts';
import type { SendMessage } from './send-message.ts';

/** Maximum concurrent attempts of this server: in total, of a team, of a channel. */
const atOnce = { all: 64, team: 8, channel: 2 };
/** Maximum share of channels whose last attempt failed, so that those that respond always find a slot. */
const failingAtOnce = 32;
/** Longer than an attempt may take, so that no other server tries meanwhile. */
const leaseSeconds = 60;
/** Time for attempts in progress when the server shuts down. */
const graceMs = 5000;
/** Pauses before the second, third … attempt. */
export const pausesSeconds = [5, 60, 300, 1800, 7200, 28_800];
/** A pause is up to this share longer: messages that failed together are not retried together. */
const jitter = 0.1;

export interface DeliverParts {
  queue: QueueStore;
  seal: Seal;
  tryOnce: SendMessage;
  /** Switches a channel off, and notifies its team. */
  switchOff: (claimed: Pick<Claimed, 'team_id' | 'channel_id'>, reason: string) => Promise<void>;
  changes: Changes;
  log: Log;
}

/**
 * Sends messages to channels; any number of servers may do so. A message is sent at least once: when a server is killed after the receiver has
 * accepted the message and before that is recorded, the message is sent again under the same id.
 */
export function startDeliveries({ queue, seal, tryOnce, switchOff, changes, log }: DeliverParts) {
  const closing = new AbortController();
  const running = new Map<string, { delivery: Claimed; done: Promise<void> }>();
  const noting = retryOutages({ delivered: queue.delivered }, closing.signal);

  const loop = startNotifiedLoop({ changes, channel: 'deliveries', log }, async () => {
    if (running.size >= atOnce.all) return false;
    const under = [...running.values()].map(({ delivery }) => delivery);
    const except = {
      deliveries: [...running.keys()],
      channels: full(under, 'channel_id', atOnce.channel),
      teams: full(under, 'team_id', atOnce.team),
    };
    const failing = under.filter((one) => one.is_failing).length < failingAtOnce;
    const delivery = await queue.claim({ leaseSeconds, except, failing });
    if (!delivery) return false;
    const done = attempt(delivery)
      .catch((error: unknown) => log.error({ err: error, delivery: delivery.id }, 'recording a channel delivery failed; retrying'))
      .finally(() => {
        running.delete(delivery.id);
        loop.wake();
      });
    running.set(delivery.id, { delivery, done });
    return true;
  });

  async function attempt(delivery: Claimed) {
    const outcome = await send(delivery);
    if (outcome === undefined) {
      await queue.giveBack(delivery);
      return;
    }
    // failpoint: message-handed-over
    if (outcome.error === null) {
      await noting.delivered(delivery, outcome);
      return;
    }
    const isGone = outcome.response_status === 410;
    const pauseSeconds = isGone ? undefined : withJitter(pausesSeconds[delivery.attempts - 1]);
    const { is_over } = await queue.failed(delivery, { ...outcome, pauseSeconds });
    if (isGone) await switchOff(delivery, 'It answered 410: nothing is wanted there any more.');
    else if (is_over) await switchOff(delivery, `Nothing could be delivered for days. The last try: ${outcome.error}`);
  }

  /** Undefined: the server shut down before there was a response. */
  async function send(delivery: Claimed): Promise<Outcome | undefined> {
    try {
      const { id, type, created_at, sealed, key_id, channel_id } = delivery;
      const values = openValues(seal, channel_id, { sealed, key_id });
      return await tryOnce({ id, type, values, happened: delivery, created_at }, closing.signal);
    } catch (error) {
      if (closing.signal.aborted) return undefined;
      // For example, a value was sealed with a key that is missing.
      log.error({ err: error, delivery: delivery.id }, 'creating a channel message failed');
      return { response_status: null, response_text: null, error: 'The message could not be made; the log of the server tells why.' };
    }
  }

  return {
    async close() {
      await loop.close();
      const grace = setTimeout(() => closing.abort(), graceMs);
      await Promise.all([...running.values()].map(({ done }) => done));
      clearTimeout(grace);
      closing.abort();
    },
  };
}

/** Channels or teams with their maximum number of attempts in progress. */
function full(under: readonly Claimed[], by: 'channel_id' | 'team_id', most: number): string[] {
  const counts = Map.groupBy(under, (one) => one[by]);
  return [...counts].filter(([, found]) => found.length >= most).map(([id]) => id);
}

const withJitter = (seconds: number | undefined) => (seconds === undefined ? undefined : seconds * (1 + Math.random() * jitter));
