import { ApiError, channels } from '@paddock/contract';
import type { RateLimit } from '../../../http/rate-limit.ts';
import { type Handlers, type SignedIn, serve } from '../../../http/serve.ts';
import type { DeliveryStore } from './delivery-store.ts';
import type { SendMessage } from './send-message.ts';
import { newSecret } from './signature.ts';
import type { ChannelStore } from './store.ts';
import { type FindTarget, readUrl, TargetRefused, TargetUnknown } from './target.ts';

/** URLs that are set or tested, per team. */
const tryLimit = { max: 20, windowSeconds: 60 };

export interface RouteParts {
  store: ChannelStore;
  deliveries: DeliveryStore;
  findTarget: FindTarget;
  tryOnce: SendMessage;
  limit: Pick<RateLimit, 'take'>;
  /** Called when none of the team's channels is switched off by Paddock any more. */
  clearAlert: (team_id: string) => Promise<unknown>;
}

const channelHandlers = ({ store, deliveries, findTarget, tryOnce, limit, clearAlert }: RouteParts): Handlers<typeof channels> => {
  const takeTry = ({ actor }: Pick<SignedIn, 'actor'>) =>
    limit.take([{ key: `channel-try:${actor.team_id}`, ...tryLimit }]).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'too_many_attempts') throw error;
      throw new ApiError('too_many_requests', { retry_after_s: error.retry_after_s ?? tryLimit.windowSeconds });
    });

  /** Throws for a URL to which nothing may be sent. A name that does not resolve today is accepted: it may resolve when it is needed. */
  async function mustBeAllowed(text: string, context: Pick<SignedIn, 'actor' | 'signal'>): Promise<void> {
    const url = readUrl(text);
    if (typeof url === 'string') throw new ApiError('input_invalid', { errors: [{ path: 'url', message: url }], detail: url });
    await takeTry(context);
    await findTarget(url, context.signal).catch((error: unknown) => {
      if (error instanceof TargetUnknown) return;
      if (!(error instanceof TargetRefused)) throw error;
      throw new ApiError('channel_address_refused', { detail: error.message, errors: [{ path: 'url', message: error.message }] });
    });
  }

  async function clearWhenOver(team_id: string) {
    if ((await store.offByPaddock(team_id)).length === 0) await clearAlert(team_id);
  }

  return {
    list: async (_, { actor }) => ({ channels: await store.list(actor.team_id) }),

    get: ({ id }, { actor }) => store.get(actor.team_id, id),

    async create({ name, type, url, events }, context) {
      const id = context.newId('chn');
      await mustBeAllowed(url, context);
      const secret = type === 'slack' ? null : newSecret();
      const values = secret === null ? { url } : { url, secret };
      return { channel: await store.create(context.actor.team_id, { id, name, type, events, values }), secret };
    },

    async update({ id, ...change }, context) {
      const { team_id } = context.actor;
      await store.get(team_id, id);
      if (change.url !== undefined) await mustBeAllowed(change.url, context);
      const channel = await store.change(team_id, id, change);
      if (change.is_active !== undefined) await clearWhenOver(team_id);
      return channel;
    },

    async delete({ id }, { actor }) {
      await store.delete(actor.team_id, id);
      await clearWhenOver(actor.team_id);
      return null;
    },

    async test({ id }, context) {
      const { team_id } = context.actor;
      const { name, type, values } = await store.open(team_id, id);
      await takeTry(context);
      await deliveries.beginTest(id);
      const facts = { channel_id: id, channel_name: name };
      const delivery_id = context.newId('dlv');
      const [created_at, begun] = [new Date().toISOString(), performance.now()];
      const outcome = await tryOnce(
        { id: delivery_id, type, values, happened: { event: 'channel.test', facts }, created_at },
        context.signal,
      );
      const duration_ms = Math.round(performance.now() - begun);
      await deliveries.noteTest(team_id, { id: delivery_id, facts, outcome });
      const { response_status: status, response_text: answer, error } = outcome;
      return { is_delivered: error === null, status, duration_ms, answer, error };
    },

    async rotateSecret({ id }, { actor }) {
      const secret = newSecret();
      return { channel: await store.rotate(actor.team_id, id, secret), secret };
    },

    async deliveries({ id, ...page }, { actor }) {
      await store.get(actor.team_id, id);
      const { rows, next_cursor } = await deliveries.list(actor.team_id, id, page);
      return { deliveries: rows, next_cursor };
    },

    async delivery({ id, delivery_id }, { actor }) {
      await store.get(actor.team_id, id);
      return deliveries.get(actor.team_id, id, delivery_id);
    },

    async retry({ id, delivery_id }, { actor }) {
      const channel = await store.get(actor.team_id, id);
      const delivery = await deliveries.get(actor.team_id, id, delivery_id);
      if (!channel.is_active && delivery.status !== 'delivered') throw new ApiError('channel_off');
      return deliveries.retry(actor.team_id, id, delivery_id);
    },
  };
};

export const channelRoutes = (parts: RouteParts) => serve(channels, channelHandlers(parts));
