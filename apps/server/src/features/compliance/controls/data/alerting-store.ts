import type { Sql } from '../../../../db/connect.ts';

export interface ChannelRow {
  id: string;
  name: string;
  is_active: boolean;
  off_reason: string | null;
  hears_alerts: boolean;
  delivered_at: string | null;
  failed_at: string | null;
  error: string | null;
}
export interface Evaluated {
  last_run_at: string | null;
  last_error: string | null;
  now: string;
}

/** Whether alerts reach anybody. Read only. */
export const channelReachStore = (sql: Sql) => ({
  channels: (team_id: string) => sql<ChannelRow[]>`
    select
      c.id, c.name, c.is_active, c.off_reason, 'alert.opened' = any(c.events) as hears_alerts,
      (
        select max(d.delivered_at)
        from channel_deliveries d
        where d.channel_id = c.id
          and d.status = 'delivered'
      ) as delivered_at,
      last_failed.created_at as failed_at, last_failed.error
    from channels c
    left join lateral (
      select f.created_at, f.error
      from channel_deliveries f
      where f.channel_id = c.id
        and f.status = 'failed'
      order by f.created_at desc, f.id desc
      limit 1
    ) last_failed on true
    where c.team_id = ${team_id}
    order by c.created_at, c.id`,

  async evaluated(job: string): Promise<Evaluated> {
    const [row] = await sql<[Evaluated]>`
      select j.last_run_at, j.last_error, now() as now
      from (
        select 1
      ) one
      left join periodic_jobs j on j.name = ${job}`;
    return row;
  },
});
