import type { Sql } from '../../../db/connect.ts';
import { firstBucketsBeyond } from './buckets.ts';

/** Totals of a deployment within some time. */
export interface Totals {
  /** By status class: [1xx, 2xx, 3xx, 4xx, 5xx]. */
  statuses: number[];
  upstream_errors: number;
  bytes_in: number;
  bytes_out: number;
  latency_us_sum: number;
  /** Number of requests by bucket, which is the number of bounds in `buckets.ts` that they exceed. */
  latency: Record<number, number>;
  cpu_ms: number;
}
/** A deployment, and the time from which it is counted. */
export interface Asked {
  id: string;
  since: string;
}

/**
 * Adds up rows of `traffic` and of `usage`, which select from `asked`. By deployment, one entry for each that is asked for.
 */
export async function totals(
  sql: Sql,
  asked: Asked[],
  { traffic, usage }: { traffic: ReturnType<Sql>; usage: ReturnType<Sql> },
): Promise<Map<string, Totals>> {
  const rows = await sql<(Totals & { id: string })[]>`
    with asked as materialized (
      select id, since
      from jsonb_to_recordset(${sql.json(asked.map(({ id, since }) => ({ id, since })))}) as given (id text, since timestamptz)
    ),
    given as materialized (${traffic}),
    counts as (
      select
        deployment_id, sum(upstream_errors) as upstream_errors, sum(bytes_in) as bytes_in, sum(bytes_out) as bytes_out,
        sum(latency_us_sum) as latency_us_sum,
        array[sum(statuses[1]), sum(statuses[2]), sum(statuses[3]), sum(statuses[4]), sum(statuses[5])] as statuses
      from given
      group by deployment_id
    ),
    buckets as (
      select deployment_id, width_bucket(key::int, ${firstBucketsBeyond}::int[]) as beyond, sum(value::bigint) as count
      from given, jsonb_each_text(given.latency)
      group by deployment_id, beyond
    ),
    latencies as (
      select deployment_id, jsonb_object_agg(beyond, count) as latency
      from buckets
      group by deployment_id
    ),
    looks as (${usage}),
    used as (
      select deployment_id, sum(cpu_ms) as cpu_ms
      from looks
      group by deployment_id
    )
    select
      a.id, coalesce(statuses, '{0,0,0,0,0}')::float8[] as statuses, coalesce(upstream_errors, 0)::float8 as upstream_errors,
      coalesce(bytes_in, 0)::float8 as bytes_in, coalesce(bytes_out, 0)::float8 as bytes_out,
      coalesce(latency_us_sum, 0)::float8 as latency_us_sum, coalesce(latency, '{}') as latency, coalesce(cpu_ms, 0)::float8 as cpu_ms
    from asked a
    left join counts c on c.deployment_id = a.id
    left join latencies l on l.deployment_id = a.id
    left join used u on u.deployment_id = a.id`;
  return new Map(rows.map(({ id, ...rest }) => [id, rest]));
}
