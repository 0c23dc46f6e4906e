import type { Sql } from '../../db/connect.ts';
import type { Span } from './span.ts';

/** What happened in one step, or in all of them together. Latencies in microseconds, null without requests. */
export interface Traffic {
  requests: number;
  statuses: [number, number, number, number, number];
  upstream_errors: number;
  bytes_in: number;
  bytes_out: number;
  latency_us_sum: number;
  p50_us: number | null;
  p95_us: number | null;
  p99_us: number | null;
}
export interface TrafficStep extends Traffic {
  at: Date;
}
export interface TrafficOfAgent {
  /** The steps in which there were requests, in order. */
  steps: TrafficStep[];
  total: Traffic;
}
export type TrafficStore = ReturnType<typeof trafficStore>;

/** The deployments whose visits are an agent's. */
export interface Asked {
  agent_id: string;
  deployment_ids: readonly string[];
}

type Pair = { agent_id: string; deployment_id: string };

interface Row extends Omit<Traffic, 'statuses'> {
  agent_id: string;
  /** Null: the sum of all. */
  at: string | null;
  s1: number;
  s2: number;
  s3: number;
  s4: number;
  s5: number;
}

/** All SQL that reads visits. Percentiles come from merged buckets, never from averages of percentiles. */
export const trafficStore = (sql: Sql) => {
  const sums = sql`
    sum(requests)::float8 as requests, sum(statuses[1])::float8 as s1, sum(statuses[2])::float8 as s2, sum(statuses[3])::float8 as s3,
    sum(statuses[4])::float8 as s4, sum(statuses[5])::float8 as s5, sum(upstream_errors)::float8 as upstream_errors,
    sum(bytes_in)::float8 as bytes_in, sum(bytes_out)::float8 as bytes_out, sum(latency_us_sum)::float8 as latency_us_sum`;
  const counted = sql`agent_id, requests, statuses, upstream_errors, bytes_in, bytes_out, latency_us_sum, latency`;

  return {
    /** By agent. Those without a request are missing. */
    async ofAgents(agents: readonly Asked[], span: Span): Promise<Map<string, TrafficOfAgent>> {
      const asked = agents.flatMap(({ agent_id, deployment_ids }) => deployment_ids.map((deployment_id) => ({ agent_id, deployment_id })));
      const rows = span.step_s < 1800 ? await ofMinutes(asked, span) : await ofSums(asked, span);
      const found = new Map<string, TrafficOfAgent>();
      for (const row of rows) {
        const agent = found.get(row.agent_id) ?? { steps: [], total: noTraffic };
        found.set(row.agent_id, agent);
        if (row.at === null) agent.total = asTraffic(row);
        else agent.steps.push({ at: new Date(row.at), ...asTraffic(row) });
      }
      return found;
    },

    /** The sums of many deployments, without percentiles. */
    async ofTeam(deployment_ids: readonly string[], { from, to }: Span): Promise<Pick<Traffic, 'requests' | 'statuses' | 'latency_us_sum'>> {
      const [first, end] = [from.toISOString(), to.toISOString()];
      const mine = sql`deployment_id = any(${deployment_ids as string[]})`;
      const [row] = await sql<[Row]>`
        with rolled as (
          select until as hours
          from rolled_up
          where name = 'hours'
        ),
        -- Hours have whole hours: what begins within one is read from its minutes.
        whole as (
          select date_trunc('hour', ${first}::timestamptz + interval '1 hour' - interval '1 microsecond', 'UTC') as first_hour
        ),
        given as (
          select requests, statuses, upstream_errors, bytes_in, bytes_out, latency_us_sum
          from traffic_hours, rolled, whole
          where ${mine}
            and at >= first_hour
            and at < least(${end}, hours)
          union all
          select requests, statuses, upstream_errors, bytes_in, bytes_out, latency_us_sum
          from traffic_minutes, rolled, whole
          where ${mine}
            and minute >= ${first}
            and minute < ${end}
            and (minute < first_hour or minute >= hours)
        )
        select '' as agent_id, null as at, ${sums}
        from given`;
      return row.requests ? asTraffic(row) : noTraffic;
    },
  };

  function pairs(asked: Pair[]) {
    return sql`
      select agent_id, deployment_id
      from jsonb_to_recordset(${sql.json(asked as never)}) as given (agent_id text, deployment_id text)`;
  }

  function ofMinutes(asked: Pair[], { from, to, step_s }: Span) {
    return sql<Row[]>`
      with asked as materialized (${pairs(asked)}),
      given as (
        select date_bin(${`${step_s} seconds`}::interval, minute, to_timestamp(0)) as at, ${counted}
        from asked
        join traffic_minutes using (deployment_id)
        where minute >= ${from.toISOString()}
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
        select agent_id, at, ${sums}
        from given
        group by grouping sets ((agent_id, at), (agent_id))
      )
      select c.*, latency_us_at(latency, 0.5) as p50_us, latency_us_at(latency, 0.95) as p95_us, latency_us_at(latency, 0.99) as p99_us
      from counts c
      left join latencies l on l.agent_id = c.agent_id and l.at is not distinct from c.at
      order by c.at`;
  }

  /** What was added up, and the minutes since; for all steps together also days. Histograms are opened only where several meet. */
  function ofSums(asked: Pair[], { from, to, step_s }: Span) {
    const [first, end] = [from.toISOString(), to.toISOString()];
    const [table, name] = step_s < 3600 ? (['traffic_half_hours', 'half_hours'] as const) : (['traffic_hours', 'hours'] as const);
    return sql<Row[]>`
      with asked as materialized (${pairs(asked)}),
      rolled as (
        select
          (select until from rolled_up where name = ${name}) as sums, (select until from rolled_up where name = 'days') as days,
          date_trunc('day', ${first}::timestamptz + interval '1 day' - interval '1 microsecond', 'UTC') as first_day
      ),
      given as (
        select at as of, ${counted}, p50_us, p95_us, p99_us
        from asked
        join ${sql(table)} using (deployment_id), rolled
        where at >= ${first}
          and at < least(${end}, rolled.sums)
        union all
        select minute, ${counted}, null, null, null
        from asked
        join traffic_minutes using (deployment_id), rolled
        where minute >= greatest(${first}, rolled.sums)
          and minute < ${end}
      ),
      binned as (
        select date_bin(${`${step_s} seconds`}::interval, of, to_timestamp(0)) as at, given.*
        from given
      ),
      counts as (
        select agent_id, at, ${sums}, count(*) as rows, max(p50_us) as p50_us, max(p95_us) as p95_us, max(p99_us) as p99_us
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
        where at >= first_day
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
};

const asTraffic = ({ agent_id: _, at: __, s1, s2, s3, s4, s5, ...row }: Row): Traffic => ({ ...row, statuses: [s1, s2, s3, s4, s5] });

export const noTraffic: Traffic = {
  ...{ requests: 0, upstream_errors: 0, bytes_in: 0, bytes_out: 0, latency_us_sum: 0 },
  statuses: [0, 0, 0, 0, 0],
  ...{ p50_us: null, p95_us: null, p99_us: null },
};
