import type { Sql } from '../../db/connect.ts';
import { removeInBatches } from '../../jobs/remove-in-batches.ts';

export type RollUpStore = ReturnType<typeof rollUpStore>;

export type Unit = 'half_hour' | 'hour' | 'day';

interface Step {
  unit: Unit;
  /** The period's begin, and the begin of the next one. */
  from: Date;
  to: Date;
}

const tables = {
  half_hour: { traffic: ['traffic_minutes', 'minute', 'traffic_half_hours'], usage: undefined },
  hour: { traffic: ['traffic_half_hours', 'at', 'traffic_hours'], usage: ['usage_minutes', 'usage_hours'] },
  day: { traffic: ['traffic_hours', 'at', 'traffic_days'], usage: ['usage_hours', 'usage_days'] },
} as const;

/** All SQL that rolls minutes up into half hours, those into hours, and hours into days. Idempotent. */
export const rollUpStore = (sql: Sql) => ({
  /** The period from `from` until before `to` is over and not rolled up, or so recent that late rows may have arrived. */
  async due(lateHours: number): Promise<{ from: Date; to: Date } | undefined> {
    const [row] = await sql<{ from: string; to: string }[]>`
      with visits as (
        select min(minute) as at
        from traffic_minutes
      ),
      looks as (
        select min(at) as at
        from usage_minutes
      ),
      span as (
        select
          greatest(r.until - ${`${lateHours} hours`}::interval, date_trunc('hour', least(visits.at, looks.at), 'UTC')) as first,
          date_bin('30 minutes', now() - interval '1 minute', to_timestamp(0)) as upto, r.until
        from rolled_up r, visits, looks
        where r.name = 'half_hours'
      )
      select
        first as "from",
        upto as "to"
      from span
      where until < upto
        and first < upto
        and isfinite(first)`;
    return row && { from: new Date(row.from), to: new Date(row.to) };
  },

  async addUp({ unit, ...step }: Step): Promise<void> {
    const { traffic, usage } = tables[unit];
    const span = { from: step.from.toISOString(), to: step.to.toISOString() };
    await addVisits(sql, traffic, span);
    if (usage) await addUsage(sql, usage, span);
  },

  /** Marks everything before `at` as rolled up. */
  rolledUntil: (unit: Unit, at: Date) => sql`
    update rolled_up
    set until = greatest(until, ${at.toISOString()})
    where name = ${`${unit}s`}`,

  /** Rolled-up rows are kept for longer than their sources. */
  async sweep(): Promise<void> {
    for (const [table, kept] of [
      ['usage_minutes', '7 days'],
      ['traffic_half_hours', '3 days'],
      ['traffic_hours', '90 days'],
      ['usage_hours', '90 days'],
      ['traffic_days', '2 years'],
      ['usage_days', '2 years'],
    ] as const)
      await removeInBatches(
        (rows) => sql`
          delete from ${sql(table)}
          where ctid = any(array(
            select t.ctid
            from ${sql(table)} t
            where t.at < least(
              now() - ${kept}::interval,
              (
                select min(until) - interval '1 day'
                from rolled_up
              )
            )
            limit ${rows}
          ))`,
      );
  },
});

interface Between {
  from: string;
  to: string;
}

const addVisits = (sql: Sql, [source, column, target]: readonly [string, string, string], { from, to }: Between) => sql`
  with given as (
    select *
    from ${sql(source)}
    where ${sql(column)} >= ${from}
      and ${sql(column)} < ${to}
  ),
  counts as (
    select
      deployment_id, sum(requests) as requests,
      array[sum(statuses[1]), sum(statuses[2]), sum(statuses[3]), sum(statuses[4]), sum(statuses[5])] as statuses,
      sum(upstream_errors) as upstream_errors, sum(bytes_in) as bytes_in, sum(bytes_out) as bytes_out, sum(latency_us_sum) as latency_us_sum
    from given
    group by deployment_id
  ),
  buckets as (
    select deployment_id, key, sum(value::bigint) as count
    from given, jsonb_each_text(latency)
    group by deployment_id, key
  ),
  latencies as (
    select deployment_id, jsonb_object_agg(key, count) as latency
    from buckets
    group by deployment_id
  )
  insert into ${sql(target)} (
    deployment_id, at, requests, statuses, upstream_errors, bytes_in, bytes_out, latency_us_sum, latency, p50_us, p95_us, p99_us
  )
  select
    c.deployment_id, ${from}, requests, statuses, upstream_errors, bytes_in, bytes_out, latency_us_sum, coalesce(latency, '{}'),
    latency_us_at(latency, 0.5), latency_us_at(latency, 0.95), latency_us_at(latency, 0.99)
  from counts c
  left join latencies l on l.deployment_id = c.deployment_id
  on conflict (deployment_id, at) do update
  set
    requests = excluded.requests,
    statuses = excluded.statuses,
    upstream_errors = excluded.upstream_errors,
    bytes_in = excluded.bytes_in,
    bytes_out = excluded.bytes_out,
    latency_us_sum = excluded.latency_us_sum,
    latency = excluded.latency,
    p50_us = excluded.p50_us,
    p95_us = excluded.p95_us,
    p99_us = excluded.p99_us`;

const addUsage = (sql: Sql, [looks, sums]: readonly [string, string], { from, to }: Between) => sql`
  insert into ${sql(sums)} (deployment_id, at, measured_ms, cpu_ms, cpu_limit_ms, memory_bytes, memory_limit_bytes)
  select deployment_id, ${from}, sum(measured_ms), sum(cpu_ms), sum(cpu_limit_ms), max(memory_bytes), max(memory_limit_bytes)
  from ${sql(looks)}
  where at >= ${from}
    and at < ${to}
  group by deployment_id
  on conflict (deployment_id, at) do update
  set
    measured_ms = excluded.measured_ms,
    cpu_ms = excluded.cpu_ms,
    cpu_limit_ms = excluded.cpu_limit_ms,
    memory_bytes = excluded.memory_bytes,
    memory_limit_bytes = excluded.memory_limit_bytes`;
