import type { ChannelDelivery, ChannelTest } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { channelLimits } from '@paddock/contract/limits';
import { freshId } from '../../../../demo/ids.ts';
import { type DemoChannel, noAnswer } from './samples.ts';

const thanks = { response_status: 200, response_text: 'This is the demo: nothing was sent.', error: null } as const;

/** Result of a delivery in the demo: a host whose name begins with 'down.' never responds, and every other host accepts it. */
const outcomeAt = ({ channel }: DemoChannel) => (URL.parse(channel.url)?.hostname.startsWith('down.') ? noAnswer : thanks);

const now = () => new Date().toISOString();

/** Adds a test as the newest delivery of the channel. */
export function sendTest(to: DemoChannel): ChannelTest {
  const outcome = outcomeAt(to);
  const is_delivered = outcome.error === null;
  to.deliveries.unshift({
    id: freshId('dlv'),
    event: 'channel.test',
    status: is_delivered ? 'delivered' : 'failed',
    attempts: 1,
    ...outcome,
    created_at: now(),
    delivered_at: is_delivered ? now() : null,
    next_attempt_at: null,
  });
  const { response_status: status, response_text: answer, error } = outcome;
  return { is_delivered, status, duration_ms: is_delivered ? 84 : channelLimits.tryMs, answer, error };
}

export function findDelivery({ deliveries }: DemoChannel, id: string): ChannelDelivery {
  const delivery = deliveries.find((each) => each.id === id);
  if (!delivery) throw new ApiError('delivery_not_found');
  return delivery;
}

export function sendAgain(to: DemoChannel, delivery_id: string): ChannelDelivery {
  const delivery = findDelivery(to, delivery_id);
  if (delivery.status === 'delivered') throw new ApiError('delivery_done');
  if (!to.channel.is_active) throw new ApiError('channel_off');
  Object.assign(delivery, outcomeAt(to), { attempts: delivery.attempts + 1 });
  if (delivery.error === null) Object.assign(delivery, { status: 'delivered', delivered_at: now(), next_attempt_at: null });
  return delivery;
}
