import type { ChannelType } from '@paddock/contract';
import { type ChannelEventBody, isoOf } from './channel-event.ts';
import { slackText } from './slack-text.ts';

/** The body of a message, which is the same for each attempt. */
export function formatBody(type: ChannelType, told: ChannelEventBody, created_at: string): string {
  if (type === 'slack') return JSON.stringify({ text: slackText(told) });
  return JSON.stringify({ type: told.type, timestamp: isoOf(created_at), data: told.data });
}
