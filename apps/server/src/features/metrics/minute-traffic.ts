import type { Sql } from '../../db/connect.ts';
import type { Span } from './span.ts';
import { counted, type Pair, pairs, type Row, sums } from './traffic-rows.ts';

/** Traffic from the minutes themselves; histograms are merged per step and in total. */
export function minuteTraffic(sql: Sql, asked: Pair[], { from, to, step_s }: Span) {
  return sql<Row[]>`
    with asked as materialized (${pairs(sql, asked)}),
    given as (
      select date_bin(${`${step_s} seconds`}::interval, minute, to_timestamp(0)) as at, ${counted(sql)}
      from asked
      join traffic_minutes using (deployment_id)
      where deployment_id = any(${asked.map(({ deployment_id }) => deployment_id)})
        and minute >= ${from.toISOString()}
        and minute < ${to.toISOString()}
    ),
    buckets as (
      select agent_id, at, key, sum(value::bigint) as count
      from given, jsonb_each_text(latency)
      group by grouping sets ((agent_id, at, key), (agent_id, key))
    ),
    latencies as (
      select agent_id, at, jsonb_object_agg(key, count) as latency
      from buckets
      group by agent_id, at
    ),
    counts as (
      select agent_id, at, ${sums(sql)}
      from given
      group by grouping sets ((agent_id, at), (agent_id))
    )
    select c.*, latency_us_at(latency, 0.5) as p50_us, latency_us_at(latency, 0.95) as p95_us, latency_us_at(latency, 0.99) as p99_us
    from counts c
    left join latencies l on l.agent_id = c.agent_id and l.at is not distinct from c.at
    order by c.at`;
}
