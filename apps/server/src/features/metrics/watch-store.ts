import type { Sql } from '../../db/connect.ts';

/** An agent that serves its production environment, with figures of the last complete minutes. */
export interface Watched {
  team_id: string;
  project_id: string;
  deployment_id: string;
  name: string;
  /** The deployment itself, and those that it replaced within the last fifteen minutes. */
  deployment_ids: string[];
  /** Figures of the last five minutes. */
  requests: number;
  failed: number;
  p95_us: number | null;
  /** Figures of the last fifteen minutes, including the predecessors': the first minute of a new deployment is not representative. */
  quarter_requests: number;
  quarter_failed: number;
  quarter_latency_us: number;
  /** Since when there were no requests: its last request, or when it began to serve. */
  quiet_since: string;
  /** Since when it has been waiting for its restart; null while it runs. */
  down_since: string | null;
  out_of_memory: number;
  asked_at: string;
}
export type WatchStore = ReturnType<typeof watchStore>;

const outages = ['crashed', 'out_of_memory', 'lost', 'node_died'];

/** Inputs of the rules about agents. Only complete minutes: the current one would be too low. */
export const watchStore = (sql: Sql) => ({
  watched: () => sql<Watched[]>`
    with ${serving(sql)},
    counts as (
      select
        s.current_id as deployment_id,
        sum(requests) filter (where s.id = s.current_id and t.minute >= s.minute - interval '5 minutes') as requests,
        sum(statuses[5]) filter (where s.id = s.current_id and t.minute >= s.minute - interval '5 minutes') as failed,
        sum(requests) as quarter_requests,
        sum(statuses[5]) as quarter_failed,
        sum(latency_us_sum) as quarter_us
      from serving s
      join traffic_minutes t on t.deployment_id = s.id
      where t.minute >= s.minute - interval '15 minutes'
        and t.minute < s.minute
      group by s.current_id
    ),
    buckets as (
      select t.deployment_id, key, sum(value::bigint) as count
      from present p
      join traffic_minutes t on t.deployment_id = p.id,
      jsonb_each_text(latency)
      where t.minute >= p.minute - interval '5 minutes'
        and t.minute < p.minute
      group by t.deployment_id, key
    ),
    latencies as (
      select deployment_id, latency_us_at(jsonb_object_agg(key, count), 0.95) as p95_us
      from buckets
      group by deployment_id
    )
    select
      p.team_id, p.project_id, p.id as deployment_id, p.name,
      array(
        select s.id
        from serving s
        where s.current_id = p.id
      ) as deployment_ids,
      coalesce(requests, 0)::float8 as requests, coalesce(failed, 0)::float8 as failed,
      p95_us, coalesce(quarter_requests, 0)::float8 as quarter_requests, coalesce(quarter_failed, 0)::float8 as quarter_failed,
      coalesce(quarter_us / nullif(quarter_requests, 0), 0)::float8 as quarter_latency_us,
      greatest(moved.ready_at, asked.last_minute) as quiet_since,
      case when moved.last_why = any(${outages}) then moved.last_at end as down_since,
      moved.out_of_memory::int as out_of_memory, now() as asked_at
    from present p
    left join counts c on c.deployment_id = p.id
    left join latencies l on l.deployment_id = p.id
    cross join lateral (
      select
        (array_agg(why order by number desc))[1] as last_why,
        max(at) as last_at,
        coalesce(max(at) filter (where to_status = 'active' and why <> all(${outages})), now()) as ready_at,
        count(*) filter (where why = 'out_of_memory' and at > now() - interval '10 minutes') as out_of_memory
      from moves
      where deployment_id = p.id
    ) moved
    cross join lateral (
      select max(minute) + interval '1 minute' as last_minute
      from traffic_minutes
      where deployment_id = p.id
        and requests > 0
    ) asked`,
});

/** Serving deployments (`present`), together with those that they replaced within the last fifteen minutes (`serving`). */
const serving = (sql: Sql) => sql`
  present as (
    select d.id, d.team_id, d.project_id, p.name, date_trunc('minute', now()) as minute
    from deployments d
    join projects p on p.id = d.project_id
    where d.is_current
      and d.environment = 'production'
      and d.status = 'active'
      and p.deleting_at is null
  ),
  serving as (
    select id as current_id, id, minute
    from present
    union
    select p.id, m.deployment_id, p.minute
    from present p
    join moves m on m.project_id = p.project_id
    where m.environment = 'production'
      and m.why = 'replaced'
      and m.at > p.minute - interval '15 minutes'
  )`;
