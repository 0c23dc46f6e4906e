import * as z from 'zod';
import { channelLimits } from './limits.ts';
import { id, nextCursor, nothing, page, timestamp } from './lists.ts';
import { route } from './route.ts';

/** Events that can be sent to a channel. */
export const channelEvents = ['alert.opened', 'alert.resolved', 'deployment.active', 'deployment.failed', 'deployment.stopped'] as const;
export const ChannelEvent = z.enum(channelEvents);
export type ChannelEvent = (typeof channelEvents)[number];
/** A user requests a test, so every channel receives it. */
export const deliveryEvents = [...channelEvents, 'channel.test'] as const;

export const channelTypes = ['webhook', 'slack'] as const;
export type ChannelType = (typeof channelTypes)[number];

export const ChannelDelivery = z.object({
  id: id('dlv').meta({ description: 'Also the `webhook-id` of the message' }),
  event: z.enum(deliveryEvents),
  status: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.number().int(),
  response_status: z.number().int().nullable().meta({ description: 'Of the last try; null if nothing answered' }),
  response_text: z.string().nullable().meta({ description: 'How the answer to the last try begins, 200 characters at most' }),
  error: z.string().nullable().meta({ description: 'Why the last try failed' }),
  created_at: timestamp,
  delivered_at: timestamp.nullable(),
  next_attempt_at: timestamp.nullable().meta({ description: 'Null once it is delivered or has failed' }),
});
export type ChannelDelivery = z.infer<typeof ChannelDelivery>;

export const Channel = z.object({
  id: id('chn'),
  name: z.string(),
  type: z.enum(channelTypes).meta({ description: '`webhook`: signed JSON. `slack`: `{text}`, as Slack and others like it take' }),
  url: z
    .string()
    .meta({ description: 'Of type slack without its path but for the last characters, since whoever has the address may post' }),
  events: z.array(ChannelEvent),
  is_active: z.boolean(),
  off_reason: z.string().nullable().meta({ description: 'Why Paddock switched it off; null if Paddock did not' }),
  created_at: timestamp,
  last_delivery: ChannelDelivery.nullable(),
});
export type Channel = z.infer<typeof Channel>;

/** The response of the other side to a test. */
export const ChannelTest = z.object({
  is_delivered: z.boolean(),
  status: z.number().int().nullable(),
  duration_ms: z.number().int(),
  answer: z.string().nullable().meta({ description: 'The first 200 characters of the answer, as text' }),
  error: z.string().nullable(),
});
export type ChannelTest = z.infer<typeof ChannelTest>;

const one = z.strictObject({ id: id('chn') });
const ofDelivery = one.extend({ delivery_id: id('dlv') });
const name = z
  .string()
  .trim()
  .min(1, 'Enter a name')
  .max(100)
  // The name is shown in one line of messages and alerts.
  .regex(/^\P{Cc}*$/u, 'A name has no line breaks or control characters');
const url = z.string().min(1, 'Enter an address').max(2048);
const events = z
  .array(ChannelEvent)
  .min(1, 'Choose at least one event')
  .max(channelEvents.length)
  .refine((chosen) => new Set(chosen).size === chosen.length, 'Name each event once');
const secret = z
  .string()
  .nullable()
  .meta({ description: 'Signs the messages; it is told here and never again. Null for type slack, which signs nothing' });

export const channels = {
  list: route({
    method: 'GET',
    path: '/channels',
    access: 'channels:read',
    summary: `Channels that hear of alerts and deployments, the oldest first; a team has ${channelLimits.perTeam} at most`,
    input: z.strictObject({}),
    output: z.object({ channels: z.array(Channel) }),
  }),
  create: route({
    method: 'POST',
    path: '/channels',
    answer: 'shown-once',
    access: 'channels:write',
    status: 201,
    location: '/channels/{channel.id}',
    summary: 'Create a channel; the answer alone has its signing secret',
    audit: 'channel.create',
    errors: ['channels_too_many', 'channel_address_refused'],
    input: z.strictObject({ name, type: z.enum(channelTypes), url, events: events.default([...channelEvents]) }),
    output: z.object({ channel: Channel, secret }),
  }),
  get: route({
    method: 'GET',
    path: '/channels/:id',
    access: 'channels:read',
    summary: 'One channel with its last delivery',
    errors: ['channel_not_found'],
    input: one,
    output: Channel,
  }),
  update: route({
    method: 'PUT',
    path: '/channels/:id',
    access: 'channels:write',
    summary: 'Change name, address or events of a channel, or switch it on or off; what is left out stays',
    audit: 'channel.update',
    errors: ['channel_not_found', 'channel_address_refused'],
    input: one.extend({ name: name.optional(), url: url.optional(), events: events.optional(), is_active: z.boolean().optional() }),
    output: Channel,
  }),
  delete: route({
    method: 'DELETE',
    path: '/channels/:id',
    access: 'channels:write',
    status: 204,
    summary: 'Delete a channel with its deliveries; what waits is not sent any more',
    audit: 'channel.delete',
    errors: ['channel_not_found'],
    input: one,
    output: nothing,
  }),
  test: route({
    method: 'POST',
    path: '/channels/:id/test',
    access: 'channels:write',
    summary: 'Send the event `channel.test` once, also to a channel that is off, and tell what the other side said',
    note: 'Tests, and calls that name an address, are limited to 20 a minute.',
    audit: 'channel.test',
    errors: ['channel_not_found'],
    input: one,
    output: ChannelTest,
  }),
  rotateSecret: route({
    method: 'POST',
    path: '/channels/:id/secret',
    answer: 'secret',
    access: 'channels:write',
    summary: 'Replace the signing secret; for a day messages carry the signatures of both',
    audit: 'channel.rotate-secret',
    errors: ['channel_not_found', 'channel_not_signed'],
    input: one,
    output: z.object({ channel: Channel, secret: z.string() }),
  }),
  deliveries: route({
    method: 'GET',
    path: '/channels/:id/deliveries',
    access: 'channels:read',
    summary: 'What was sent to a channel, or is to be sent, newest first; kept for 30 days',
    errors: ['channel_not_found', 'cursor_invalid'],
    input: one.extend(page.shape),
    output: z.object({ deliveries: z.array(ChannelDelivery), next_cursor: nextCursor }),
  }),
  delivery: route({
    method: 'GET',
    path: '/channels/:id/deliveries/:delivery_id',
    access: 'channels:read',
    summary: 'One delivery of a channel',
    errors: ['channel_not_found', 'delivery_not_found'],
    input: ofDelivery,
    output: ChannelDelivery,
  }),
  retry: route({
    method: 'POST',
    path: '/channels/:id/deliveries/:delivery_id/retry',
    access: 'channels:write',
    summary: 'Send a delivery that failed, or waits for its next try, now',
    audit: 'channel.retry',
    errors: ['channel_not_found', 'delivery_not_found', 'delivery_done', 'channel_off'],
    input: ofDelivery,
    output: ChannelDelivery,
  }),
};
