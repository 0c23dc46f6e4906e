import type { ChannelType } from '@paddock/contract';
import { channelLimits } from '@paddock/contract/limits';
import type { Sql } from '../../../db/connect.ts';
import type { Sealed } from '../../../secrets/seal.ts';
import type { StoredEvent } from './channel-event.ts';
import type { Outcome } from './delivery-store.ts';

export type QueueStore = ReturnType<typeof queueStore>;

/** A delivery that this server must try now. */
export type Claimed = Sealed &
  StoredEvent & {
    id: string;
    team_id: string;
    channel_id: string;
    type: ChannelType;
    /** The number of attempts, including this one. */
    attempts: number;
    created_at: string;
    is_failing: boolean;
  };

interface Claim {
  leaseSeconds: number;
  /** Deliveries in progress on this server, and channels and teams with their maximum number of them. */
  except: { deliveries: string[]; channels: string[]; teams: string[] };
  /** Whether channels whose last attempt failed may be tried, too. */
  failing: boolean;
}

/** All SQL of delivery. Times are the database's. */
export const queueStore = (sql: Sql) => ({
  /** Leases the delivery that has been due for longest. Undefined when none is due. */
  async claim({ leaseSeconds, except, failing }: Claim): Promise<Claimed | undefined> {
    const [row] = await sql<Claimed[]>`
      update channel_deliveries d
      set attempts = attempts + 1, is_tried = true, next_attempt_at = now() + ${`${leaseSeconds} seconds`}::interval
      from channels c
      where c.id = d.channel_id
        and d.id = (
          select w.id
          from channel_deliveries w
          join channels o on o.id = w.channel_id
          where w.status = 'pending'
            and w.next_attempt_at <= now()
            and o.is_active
            and w.id <> all(${except.deliveries})
            and w.channel_id <> all(${except.channels})
            and w.team_id <> all(${except.teams})
            and (${failing} or o.failing_since is null)
          order by w.next_attempt_at
          limit 1
          for update of w skip locked
        )
      returning
        d.id, d.team_id, d.channel_id, d.event, d.facts, d.attempts, d.created_at,
        c.type, c.sealed, c.key_id, c.failing_since is not null as is_failing`;
    return row;
  },

  /** Records the success, also by a server whose lease has ended. */
  delivered: ({ id, channel_id }: Claimed, { response_status, response_text }: Outcome) =>
    sql.begin(async (tx) => {
      // Locks the channel before its deliveries, like the code that switches it off.
      await tx`
        update channels
        set failing_since = null
        where id = ${channel_id}`;
      await tx`
        update channel_deliveries
        set
          status = 'delivered',
          delivered_at = now(),
          is_tried = false,
          response_status = ${response_status},
          response_text = ${response_text},
          error = null
        where id = ${id}
          and status <> 'delivered'`;
    }),

  /** Records a failed attempt; `pauseSeconds` until the next, or undefined: there is none. `is_over`: the channel has failed for days. */
  failed: ({ id, channel_id, attempts }: Claimed, given: Outcome & { pauseSeconds: number | undefined }): Promise<{ is_over: boolean }> =>
    sql.begin(async (tx) => {
      const pause = given.pauseSeconds === undefined ? null : `${given.pauseSeconds} seconds`;
      const [channel] = await tx<{ is_over: boolean }[]>`
        update channels
        set failing_since = coalesce(failing_since, now())
        where id = ${channel_id}
        returning failing_since < now() - ${`${channelLimits.offAfterDays} days`}::interval as is_over`;
      await tx`
        update channel_deliveries
        set
          status = case when ${pause === null} then 'failed' else 'pending' end,
          next_attempt_at = now() + coalesce(${pause}::interval, interval '0'),
          is_tried = false,
          response_status = ${given.response_status},
          response_text = ${given.response_text},
          error = ${given.error}
        where id = ${id}
          and attempts = ${attempts}
          and status = 'pending'`;
      return { is_over: channel?.is_over ?? false };
    }),

  /** Releases an attempt that this server did not finish, as if it had not begun. */
  giveBack: ({ id, attempts }: Claimed) => sql`
    update channel_deliveries
    set attempts = attempts - 1, is_tried = false, next_attempt_at = now()
    where id = ${id}
      and attempts = ${attempts}
      and status = 'pending'`,
});
