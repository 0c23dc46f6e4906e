import type { Channel, ChannelDelivery, ChannelEvent, ChannelType } from '@paddock/contract';
import type { Tone } from '../../../ui/feedback/Badge.tsx';
import type { GlyphName } from '../../../ui/theme/Glyph.tsx';

type Look = { tone: Tone; glyph: GlyphName; word: string };

/** The events that can be sent to a channel, in the order of the form. */
export const eventWords = {
  'alert.opened': 'An alert opens',
  'alert.resolved': 'An alert is resolved',
  'deployment.active': 'A deployment is active',
  'deployment.failed': 'A deployment failed',
  'deployment.stopped': 'A deployment was stopped',
} as const satisfies Record<ChannelEvent, string>;

export const everyEvent = Object.keys(eventWords) as ChannelEvent[];

const deliveryWords: Record<string, string> = { ...eventWords, 'channel.test': 'A test' };

/** An unknown event is shown as received. */
export const eventWord = (event: ChannelDelivery['event']): string => deliveryWords[event] ?? event;

export const typeWords = { webhook: 'Webhook', slack: 'Slack' } as const satisfies Record<ChannelType, string>;

/** Error messages on the screens of channels. */
export const messages = {
  load: 'Failed to load channels',
  create: 'Failed to create channel',
  change: 'Failed to change channel',
  delete: 'Failed to delete channel',
  rotate: 'Failed to rotate secret',
  test: 'The test could not be sent',
  retry: 'The message could not be sent again',
  copied: 'Secret copied to clipboard',
} as const;

/** Whether the newest delivery was attempted and failed. */
const isFailing = ({ last_delivery: last }: Channel): boolean =>
  last !== null && last.status !== 'delivered' && last.attempts > 0 && last.error !== null;

export function channelLook(channel: Channel): Look {
  if (!channel.is_active) return { tone: channel.off_reason === null ? 'neutral' : 'warning', glyph: 'square', word: 'Off' };
  return isFailing(channel) ? { tone: 'error', glyph: 'cross', word: 'Failing' } : { tone: 'success', glyph: 'disc', word: 'On' };
}

const deliveryLooks = {
  pending: { tone: 'info', glyph: 'ring', word: 'Waiting' },
  delivered: { tone: 'success', glyph: 'tick', word: 'Delivered' },
  failed: { tone: 'error', glyph: 'cross', word: 'Failed' },
} as const satisfies Record<ChannelDelivery['status'], Look>;

export const deliveryLook = (status: ChannelDelivery['status']): Look => deliveryLooks[status];
