import type { Sql } from '../../db/connect.ts';
import type { Span } from './span.ts';
import { counted, type Pair, pairs, type Row, sums } from './traffic-rows.ts';

/** Rolled-up rows, and the minutes since; for the total also days. Histograms are merged only if there are several. */
export function rollUpTraffic(sql: Sql, asked: Pair[], { from, to, step_s }: Span) {
  const [first, end] = [from.toISOString(), to.toISOString()];
  // Also passed as a list: the planner cannot estimate the join, and would read the rows of all agents in that time.
  const mine = sql`deployment_id = any(${asked.map(({ deployment_id }) => deployment_id)})`;
  const [table, name] = step_s < 3600 ? (['traffic_half_hours', 'half_hours'] as const) : (['traffic_hours', 'hours'] as const);
  return sql<Row[]>`
    with asked as materialized (${pairs(sql, asked)}),
    rolled as (
      select
        max(until) filter (where name = ${name}) as sums,
        max(until) filter (where name = 'days') as days,
        date_trunc('day', ${first}::timestamptz + interval '1 day' - interval '1 microsecond', 'UTC') as first_day
      from rolled_up
    ),
    given as (
      select at as of, ${counted(sql)}, p50_us, p95_us, p99_us
      from asked
      join ${sql(table)} using (deployment_id), rolled
      where ${mine}
        and at >= ${first}
        and at < least(${end}, rolled.sums)
      union all
      select minute, ${counted(sql)}, null, null, null
      from asked
      join traffic_minutes using (deployment_id), rolled
      where ${mine}
        and minute >= greatest(${first}, rolled.sums)
        and minute < ${end}
    ),
    binned as (
      select date_bin(${`${step_s} seconds`}::interval, of, to_timestamp(0)) as at, given.*
      from given
    ),
    counts as (
      select agent_id, at, ${sums(sql)}, count(*) as rows, max(p50_us) as p50_us, max(p95_us) as p95_us, max(p99_us) as p99_us
      from binned
      group by grouping sets ((agent_id, at), (agent_id))
    ),
    opened as (
      select b.agent_id, b.at, b.latency
      from binned b
      join counts c on c.agent_id = b.agent_id and c.at = b.at
      where c.rows > 1
        or c.p50_us is null
      union all
      select agent_id, null, latency
      from asked
      join traffic_days using (deployment_id), rolled
      where ${mine}
        and at >= first_day
        and at < least(${end}, rolled.days)
      union all
      select agent_id, null, latency
      from given, rolled
      where of < first_day
        or of >= rolled.days
    ),
    buckets as (
      select agent_id, at, key, sum(value::bigint) as count
      from opened, jsonb_each_text(latency)
      group by agent_id, at, key
    ),
    latencies as (
      select agent_id, at, jsonb_object_agg(key, count) as latency
      from buckets
      group by agent_id, at
    )
    select
      c.agent_id, c.at, requests, s1, s2, s3, s4, s5, upstream_errors, bytes_in, bytes_out, latency_us_sum,
      case when latency is null then p50_us else latency_us_at(latency, 0.5) end as p50_us,
      case when latency is null then p95_us else latency_us_at(latency, 0.95) end as p95_us,
      case when latency is null then p99_us else latency_us_at(latency, 0.99) end as p99_us
    from counts c
    left join latencies l on l.agent_id = c.agent_id and l.at is not distinct from c.at
    order by c.at`;
}
