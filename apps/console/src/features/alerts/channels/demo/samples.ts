import type { Channel, ChannelDelivery } from '@paddock/contract';
import { dayMs, iso, minuteMs } from '@paddock/contract/time';
import { sampleId } from '../../../../demo/ids.ts';

/** A channel of the demo with its deliveries, newest first. */
export interface DemoChannel {
  channel: Omit<Channel, 'last_delivery'>;
  deliveries: ChannelDelivery[];
}

/** Result of an attempt without a response. */
export const noAnswer = { response_status: null, response_text: null, error: 'It did not answer in time.' } as const;

export const sampleChannels = (now: number): DemoChannel[] => [pipeline(now), chat(now), board(now), statusPage(now)];

const pipeline = (now: number): DemoChannel => ({
  channel: {
    id: sampleId('chn', 1),
    name: 'Release pipeline',
    type: 'webhook',
    url: 'https://ci.example.com/hooks/paddock',
    events: ['deployment.active', 'deployment.failed', 'deployment.stopped'],
    is_active: true,
    off_reason: null,
    created_at: iso(now - 40 * dayMs),
  },
  deliveries: [
    delivered(1, { event: 'deployment.active', at: now - 35 * minuteMs }),
    {
      ...delivered(2, { event: 'deployment.failed', at: now - 5 * 60 * minuteMs }),
      attempts: 3,
      delivered_at: iso(now - 5 * 60 * minuteMs + 68_000),
    },
  ],
});

const chat = (now: number): DemoChannel => ({
  channel: {
    id: sampleId('chn', 2),
    name: '#agents',
    type: 'slack',
    url: 'https://hooks.slack.com/…x4Qz',
    events: ['alert.opened', 'alert.resolved'],
    is_active: true,
    off_reason: null,
    created_at: iso(now - 12 * dayMs),
  },
  deliveries: [{ ...delivered(3, { event: 'alert.opened', at: now - 50 * minuteMs }), response_text: 'ok' }],
});

const board = (now: number): DemoChannel => ({
  channel: {
    id: sampleId('chn', 4),
    name: 'Incident board',
    type: 'webhook',
    url: 'https://down.example.org/hooks/incidents',
    events: ['alert.opened', 'alert.resolved', 'deployment.failed'],
    is_active: true,
    off_reason: null,
    created_at: iso(now - 60 * dayMs),
  },
  deliveries: [
    {
      ...delivered(5, { event: 'alert.opened', at: now - 50 * minuteMs }),
      ...noAnswer,
      status: 'pending',
      attempts: 5,
      delivered_at: null,
      next_attempt_at: iso(now + 46 * minuteMs),
    },
    { ...delivered(6, { event: 'deployment.failed', at: now - dayMs }), ...noAnswer, status: 'failed', attempts: 7, delivered_at: null },
    delivered(7, { event: 'alert.resolved', at: now - 3 * dayMs }),
  ],
});

const statusPage = (now: number): DemoChannel => ({
  channel: {
    id: sampleId('chn', 3),
    name: 'Old status page',
    type: 'webhook',
    url: 'https://status.example.org/in',
    events: ['alert.opened'],
    is_active: false,
    off_reason: 'It answered 410: nothing is wanted there any more.',
    created_at: iso(now - 90 * dayMs),
  },
  deliveries: [
    {
      ...delivered(4, { event: 'alert.opened', at: now - 4 * dayMs }),
      status: 'failed',
      response_status: 410,
      response_text: 'Gone',
      error: 'It answered 410: nothing is wanted there any more.',
      delivered_at: null,
    },
  ],
});

function delivered(number: number, { event, at }: { event: ChannelDelivery['event']; at: number }): ChannelDelivery {
  return {
    id: sampleId('dlv', number),
    event,
    status: 'delivered',
    attempts: 1,
    response_status: 200,
    response_text: '{"ok":true}',
    error: null,
    created_at: iso(at),
    delivered_at: iso(at + 300),
    next_attempt_at: null,
  };
}
