import { ApiError, type ChannelDelivery } from '@paddock/contract';
import { recordAction } from '../../../audit/record-action.ts';
import type { Sql } from '../../../db/connect.ts';
import { paginate, readCursor } from '../../../http/cursor.ts';
import type { TestFacts } from './channel-event.ts';
import { deliveryColumns } from './delivery-rows.ts';

export type DeliveryStore = ReturnType<typeof deliveryStore>;

/** The result of an attempt. */
export interface Outcome {
  response_status: number | null;
  response_text: string | null;
  /** Null: it was delivered. */
  error: string | null;
}

/** Queries behind the deliveries API. */
export const deliveryStore = (sql: Sql) => {
  const get = async (team_id: string, channel_id: string, id: string): Promise<ChannelDelivery> => {
    const [row] = await sql<ChannelDelivery[]>`
      select ${deliveryColumns(sql)}
      from channel_deliveries d
      where d.team_id = ${team_id}
        and d.channel_id = ${channel_id}
        and d.id = ${id}`;
    if (!row) throw new ApiError('delivery_not_found');
    return row;
  };

  return {
    get,

    async list(team_id: string, channel_id: string, { limit, cursor }: { limit: number; cursor?: string | undefined }) {
      const at = readCursor(cursor);
      const rows = await sql<ChannelDelivery[]>`
        select ${deliveryColumns(sql)}
        from channel_deliveries d
        where d.team_id = ${team_id}
          and d.channel_id = ${channel_id}
          ${at ? sql`and (d.created_at, d.id) < (${at.created_at}, ${at.id})` : sql``}
        order by d.created_at desc, d.id desc
        limit ${limit + 1}`;
      return paginate(rows, limit);
    },

    /** Makes it due now. Throws delivery_done for a delivery that has succeeded or is in progress: an attempt in progress must not be duplicated. */
    async retry(team_id: string, channel_id: string, id: string): Promise<ChannelDelivery> {
      const due = await sql.begin(async (tx) => {
        const [changed] = await tx`
          with due as (
            update channel_deliveries
            set status = 'pending', next_attempt_at = now(), is_tried = false
            where team_id = ${team_id}
              and channel_id = ${channel_id}
              and id = ${id}
              and (status = 'failed' or status = 'pending' and (not is_tried or next_attempt_at <= now()))
            returning id
          )
          select pg_notify('deliveries', id)
          from due`;
        if (changed) await recordAction(tx, channel_id);
        return changed !== undefined;
      });
      const row = await get(team_id, channel_id, id);
      if (!due) throw new ApiError('delivery_done');
      return row;
    },

    /** Records the test before it is sent: without its record nothing is sent. */
    beginTest: (channel_id: string) => recordAction(sql, channel_id),

    /** Stores the result of a test, which is tried once and never retried. */
    noteTest: (team_id: string, { id, facts, outcome }: { id: string; facts: TestFacts; outcome: Outcome }) => sql`
      insert into channel_deliveries (
        id, team_id, channel_id, event, facts, status, attempts, response_status, response_text, error, delivered_at
      )
      values (
        ${id}, ${team_id}, ${facts.channel_id}, 'channel.test', ${sql.json({ ...facts })}, ${outcome.error === null ? 'delivered' : 'failed'}, 1,
        ${outcome.response_status}, ${outcome.response_text}, ${outcome.error}, case when ${outcome.error === null} then now() end
      )
      on conflict (id) do nothing`,
  };
};
