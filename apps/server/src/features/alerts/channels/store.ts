import { ApiError, type Channel, type ChannelEvent, type ChannelType } from '@paddock/contract';
import { channelLimits } from '@paddock/contract/limits';
import { dayMs } from '@paddock/contract/time';
import { recordAction } from '../../../audit/record-action.ts';
import { recordSystemAction } from '../../../audit/record-system-action.ts';
import type { Sql, Tx } from '../../../db/connect.ts';
import { lockTeam } from '../../../db/lock-team.ts';
import type { Seal } from '../../../secrets/seal.ts';
import { channelReading } from './channel-reader.ts';
import { sealValues, type Values } from './sealed-values.ts';

export type ChannelStore = ReturnType<typeof channelStore>;

export interface NewChannel {
  id: string;
  name: string;
  type: ChannelType;
  events: ChannelEvent[];
  values: Values;
}
interface Change {
  name?: string | undefined;
  url?: string | undefined;
  events?: ChannelEvent[] | undefined;
  is_active?: boolean | undefined;
}

/** For a day receivers may use either secret. */
const bothSecretsMs = dayMs;

/** Changes of channels. Their deliveries are written by `delivery-store.ts`, `queue-store.ts`, and the triggers of the migration. */
export const channelStore = (sql: Sql, seal: Seal) => {
  const reading = channelReading(sql, seal);
  const { get } = reading;
  return {
    ...reading,

    /** Throws channels_too_many, and secret_shown_once when the same request has created this channel already. */
    async create(team_id: string, { id, name, type, events, values }: NewChannel): Promise<Channel> {
      await inTurn(sql, team_id, async (tx) => {
        const [{ before, count }] = await tx<[{ before: boolean; count: number }]>`
          select coalesce(bool_or(id = ${id}), false) as before, count(*)::int as count
          from channels
          where team_id = ${team_id}`;
        if (before) throw new ApiError('secret_shown_once', { detail: createdBefore });
        if (count >= channelLimits.perTeam) throw new ApiError('channels_too_many');
        const { sealed, key_id } = sealValues(seal, id, values);
        await tx`
          insert into channels (id, team_id, name, type, sealed, key_id, events)
          values (${id}, ${team_id}, ${name}, ${type}, ${sealed}, ${key_id}, ${events})`;
        await recordAction(tx, id);
      });
      return get(team_id, id);
    },

    /** Changing the URL or switching the channel on resets its failures. Switching it off discards pending messages. */
    async change(team_id: string, id: string, change: Change): Promise<Channel> {
      await inTurn(sql, team_id, async (tx) => {
        const row = await reading.open(team_id, id, tx);
        const isOn = change.is_active ?? row.is_active;
        const { sealed, key_id } = sealValues(seal, id, { ...row.values, url: change.url ?? row.values.url });
        await tx`
          update channels
          set
            name = ${change.name ?? row.name},
            events = ${change.events ?? row.events},
            is_active = ${isOn},
            off_reason = case when ${change.is_active === undefined} then off_reason end,
            failing_since = case when ${change.url === undefined && change.is_active === undefined} then failing_since end,
            sealed = ${sealed},
            key_id = ${key_id}
          where team_id = ${team_id}
            and id = ${id}`;
        if (!isOn) await failWaiting(tx, team_id, id);
        await recordAction(tx, id);
      });
      return get(team_id, id);
    },

    /** Sets a new secret; the previous one also signs for another day. Throws channel_not_signed. */
    async rotate(team_id: string, id: string, secret: string): Promise<Channel> {
      await inTurn(sql, team_id, async (tx) => {
        const { values } = await reading.open(team_id, id, tx);
        if (values.secret === undefined) throw new ApiError('channel_not_signed');
        const previous = { secret: values.secret, until: new Date(Date.now() + bothSecretsMs).toISOString() };
        const { sealed, key_id } = sealValues(seal, id, { ...values, secret, previous });
        await tx`
          update channels
          set sealed = ${sealed}, key_id = ${key_id}
          where team_id = ${team_id}
            and id = ${id}`;
        await recordAction(tx, id);
      });
      return get(team_id, id);
    },

    delete: (team_id: string, id: string) => inTurn(sql, team_id, (tx) => remove(tx, team_id, id)),

    /** Switches off a channel that is unreachable; `tell` gets the names of all channels that Paddock switched off, in the same transaction. */
    switchOff: (team_id: string, { id, reason }: { id: string; reason: string }, tell: (tx: Tx, names: string[]) => Promise<void>) =>
      inTurn(sql, team_id, async (tx) => {
        const [changed] = await tx`
          update channels
          set is_active = false, off_reason = ${reason}
          where team_id = ${team_id}
            and id = ${id}
            and is_active
          returning id`;
        if (!changed) return;
        await failWaiting(tx, team_id, id);
        await recordSystemAction(tx, { team_id, action: 'channel.switch-off', id });
        await tell(tx, await reading.offByPaddock(team_id, tx));
      }),
  };
};

const createdBefore =
  'This request was already carried out. The channel was created, but its secret was shown only once and cannot be shown again: replace the secret.';

/** Serialises changes of a team's channels: each locks the team's row, as the trigger that counts changes does. */
const inTurn = <T>(sql: Sql, team_id: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
  sql.begin(async (tx) => {
    await lockTeam(tx, team_id);
    return work(tx);
  }) as Promise<T>;

const failWaiting = (tx: Tx, team_id: string, channel_id: string) => tx`
  update channel_deliveries
  set status = 'failed', is_tried = false, error = 'Not sent: the channel was switched off.'
  where team_id = ${team_id}
    and channel_id = ${channel_id}
    and status = 'pending'`;

async function remove(tx: Tx, team_id: string, id: string): Promise<void> {
  await recordAction(tx, id); // while the channel still has a name
  const [gone] = await tx`
    delete from channels
    where team_id = ${team_id}
      and id = ${id}
    returning id`;
  if (!gone) throw new ApiError('channel_not_found');
  await tx`
    delete from channel_deliveries
    where team_id = ${team_id}
      and channel_id = ${id}`;
}
