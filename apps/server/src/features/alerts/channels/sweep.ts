import { channelLimits } from '@paddock/contract/limits';
import type { Sql } from '../../../db/connect.ts';
import { removeInBatches } from '../../../jobs/remove-in-batches.ts';

/** Removes old messages, those of deleted channels, and those beyond the number that is kept per channel. */
export async function sweepDeliveries(sql: Sql): Promise<void> {
  // Messages written while the channel was being switched off.
  await sql`
    update channel_deliveries d
    set status = 'failed', is_tried = false, error = 'Not sent: the channel was switched off.'
    from channels c
    where c.id = d.channel_id
      and d.status = 'pending'
      and not c.is_active`;
  await removeInBatches(
    (rows) => sql`
      delete from channel_deliveries
      where ctid = any(array(
        select d.ctid
        from channel_deliveries d
        where d.created_at < now() - ${`${channelLimits.keptDays} days`}::interval
          or not exists (
            select 1
            from channels c
            where c.id = d.channel_id
          )
        limit ${rows}
      ))`,
  );
  await removeInBatches(
    (rows) => sql`
      delete from channel_deliveries
      where ctid = any(array(
        select d.ctid
        from channels c
        cross join lateral (
          select k.created_at, k.id
          from channel_deliveries k
          where k.channel_id = c.id
          order by k.created_at desc, k.id desc
          offset ${channelLimits.keptPerChannel - 1}
          limit 1
        ) oldest
        join channel_deliveries d on d.channel_id = c.id and (d.created_at, d.id) < (oldest.created_at, oldest.id)
        limit ${rows}
      ))`,
  );
}
