import type { Sql } from '../../db/connect.ts';
import type { Span } from './span.ts';

/** Resource usage of an instance between two samples. */
export interface Look {
  deployment_id: string;
  measured_ms: number;
  cpu_ms: number;
  /** CPU time that was available to it. */
  cpu_limit_ms: number;
  memory_bytes: number;
  memory_limit_bytes: number;
}

export interface Usage {
  /** Share of its limit, 0 to 1. */
  cpu_share: number;
  memory_bytes: number;
  memory_limit_bytes: number;
}
export interface UsageStep extends Usage {
  at: Date;
}
export type UsageStore = ReturnType<typeof usageStore>;

/** All SQL about resource usage of agents. */
export const usageStore = (sql: Sql) => ({
  /** Adds samples to the current minute by the database's clock. */
  add: (looks: readonly Look[]) => sql`
    insert into usage_minutes as m (deployment_id, at, measured_ms, cpu_ms, cpu_limit_ms, memory_bytes, memory_limit_bytes)
    select
      deployment_id, date_trunc('minute', now()), sum(measured_ms), sum(cpu_ms), sum(cpu_limit_ms), max(memory_bytes),
      max(memory_limit_bytes)
    from jsonb_to_recordset(${sql.json(looks as never)}) as given (
      deployment_id text, measured_ms bigint, cpu_ms bigint, cpu_limit_ms bigint, memory_bytes bigint, memory_limit_bytes bigint
    )
    group by deployment_id
    on conflict (deployment_id, at) do update
    set
      measured_ms = m.measured_ms + excluded.measured_ms,
      cpu_ms = m.cpu_ms + excluded.cpu_ms,
      cpu_limit_ms = m.cpu_limit_ms + excluded.cpu_limit_ms,
      memory_bytes = greatest(m.memory_bytes, excluded.memory_bytes),
      memory_limit_bytes = excluded.memory_limit_bytes`,

  /** The steps with measurements, in order. */
  async of(deployment_ids: string[], { from, to, step_s }: Span): Promise<UsageStep[]> {
    const [first, end] = [from.toISOString(), to.toISOString()];
    const rolled = sql`
      select until
      from rolled_up
      where name = 'hours'`;
    const hours = step_s < 3600 ? sql`'-infinity'::timestamptz` : sql`(${rolled})`;
    const rows = await sql<(Usage & { at: string })[]>`
      with given as (
        select at, cpu_ms, cpu_limit_ms, memory_bytes, memory_limit_bytes
        from usage_hours
        where deployment_id = any(${deployment_ids})
          and at >= ${first}
          and at < least(${end}, ${hours})
        union all
        select at, cpu_ms, cpu_limit_ms, memory_bytes, memory_limit_bytes
        from usage_minutes
        where deployment_id = any(${deployment_ids})
          and at >= greatest(${first}, ${hours})
          and at < ${end}
      )
      select
        date_bin(${`${step_s} seconds`}::interval, at, to_timestamp(0)) as at,
        coalesce(sum(cpu_ms)::float8 / nullif(sum(cpu_limit_ms), 0), 0)::float8 as cpu_share, max(memory_bytes)::float8 as memory_bytes,
        max(memory_limit_bytes)::float8 as memory_limit_bytes
      from given
      group by 1
      order by 1`;
    return rows.map((row) => ({ ...row, at: new Date(row.at) }));
  },

  /** The last sample, from the last two minutes. */
  async latest(deployment_id: string): Promise<Usage | undefined> {
    const [row] = await sql<Usage[]>`
      select
        coalesce(cpu_ms::float8 / nullif(cpu_limit_ms, 0), 0)::float8 as cpu_share, memory_bytes::float8 as memory_bytes,
        memory_limit_bytes::float8 as memory_limit_bytes
      from usage_minutes
      where deployment_id = ${deployment_id}
        and at > now() - interval '2 minutes'
      order by at desc
      limit 1`;
    return row;
  },
});
