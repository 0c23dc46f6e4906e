import type { Client } from '@paddock/client';
import type { Channel } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { channelLimits } from '@paddock/contract/limits';
import type { contract } from '@paddock/contract/routes';
import { answer, paginate } from '../../../../demo/answering.ts';
import type { DemoWorld } from '../../../../demo/demo-world.ts';
import { freshId } from '../../../../demo/ids.ts';
import type { DemoChannel } from './samples.ts';
import { findDelivery, sendAgain, sendTest } from './sending.ts';

const events = ['alert.opened', 'alert.resolved', 'deployment.active', 'deployment.failed', 'deployment.stopped'] as const;

/** Channels of the demo: they can be created, changed, tested and deleted, and nothing is ever sent. */
export function demoChannels(world: DemoWorld): Client<typeof contract>['channels'] {
  const now = () => new Date().toISOString();
  const find = (id: string): DemoChannel => {
    const found = world.channels.find(({ channel }) => channel.id === id);
    if (!found) throw new ApiError('channel_not_found');
    return found;
  };
  const shown = ({ channel, deliveries }: DemoChannel): Channel => ({ ...channel, last_delivery: deliveries[0] ?? null });

  return {
    list: (_input, options) => answer(() => ({ channels: world.channels.map(shown) }), options),
    get: ({ id }, options) => answer(() => shown(find(id)), options),
    create: ({ name, type, url, events: chosen = [...events] }, options) =>
      answer(() => {
        if (world.channels.length >= channelLimits.perTeam) throw new ApiError('channels_too_many');
        const channel = { id: freshId('chn'), name: named(name), type, url: shownUrl(type, url), events: chosen, is_active: true };
        const made: DemoChannel = { channel: { ...channel, off_reason: null, created_at: now() }, deliveries: [] };
        world.channels.push(made);
        world.changed();
        return { channel: shown(made), secret: type === 'slack' ? null : fakeSecret() };
      }, options),
    update: ({ id, name, url, events: chosen, is_active }, options) =>
      answer(() => {
        const found = find(id);
        if (name !== undefined) found.channel.name = named(name);
        if (url !== undefined) found.channel.url = shownUrl(found.channel.type, url);
        if (chosen !== undefined) found.channel.events = chosen;
        if (is_active !== undefined) Object.assign(found.channel, { is_active, off_reason: null });
        world.changed();
        return shown(found);
      }, options),
    delete: ({ id }, options) =>
      answer(() => {
        world.channels.splice(world.channels.indexOf(find(id)), 1);
        world.changed();
        return null;
      }, options),
    test: ({ id }, options) =>
      answer(() => {
        const outcome = sendTest(find(id));
        world.changed();
        return outcome;
      }, options),
    rotateSecret: ({ id }, options) =>
      answer(() => {
        const found = find(id);
        if (found.channel.type === 'slack') throw new ApiError('channel_not_signed');
        return { channel: shown(found), secret: fakeSecret() };
      }, options),
    deliveries: ({ id, ...page }, options) =>
      answer(() => {
        const { rows, next_cursor } = paginate(find(id).deliveries, page);
        return { deliveries: rows, next_cursor };
      }, options),
    delivery: ({ id, delivery_id }, options) => answer(() => findDelivery(find(id), delivery_id), options),
    retry: ({ id, delivery_id }, options) =>
      answer(() => {
        const delivery = sendAgain(find(id), delivery_id);
        world.changed();
        return delivery;
      }, options),
  };
}

function named(name: string): string {
  if (name.trim() === '') throw new ApiError('input_invalid', { errors: [{ path: 'name', message: 'Enter a name' }] });
  return name.trim();
}

/** The address as the server shows it: for Slack only the end of the path. Throws for an address that the server would refuse. */
function shownUrl(type: Channel['type'], text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    const message = 'Give an address such as https://example.com/hooks/paddock, which begins with https:// or http://';
    throw new ApiError('input_invalid', { errors: [{ path: 'url', message }] });
  }
  if (isPrivate.test(url.hostname)) {
    const message = `The address ${url.hostname} is refused. Paddock sends nothing to private networks.`;
    throw new ApiError('channel_address_refused', { detail: message, errors: [{ path: 'url', message }] });
  }
  return type === 'slack' ? `${url.origin}/…${url.pathname.slice(-4)}` : text;
}

const isPrivate = /^(localhost$|127\.|10\.|192\.168\.)/;

const fakeSecret = () =>
  `whsec_demo${[...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
