import type { Sql } from '../../../db/connect.ts';

export interface AgentRow {
  id: string;
  project: string;
  environment: string;
  team_id: string;
  project_id: string;
  node: string | null;
  /** Null: it is not expected to run. */
  is_up: boolean | null;
  /** The time from which its visits and restarts are counted. */
  since: string;
  crashed: number;
  out_of_memory: number;
  lost: number;
  node_died: number;
  /** The last sample, from the last two minutes; else null. */
  memory_bytes: number | null;
  memory_limit_bytes: number | null;
  cpu_limit_cores: number | null;
}

/**
 * A counter restarts at 0 after this many days of a deployment's life. Days are kept for two years and moves for 13 months: a counter that still
 * included them when they are removed would fall, which Prometheus takes for a restart and counts twice.
 */
const countedDays = 365;

/** Deployments that serve, drain, or ended within the last hour; serving ones come first, of them the newest. */
export const listedAgents = (sql: Sql, limit: number) => sql<AgentRow[]>`
  with ended as (
    select distinct deployment_id as id
    from moves
    where number > (
        select max(number) - 10000
        from moves
      )
      and at > now() - interval '1 hour'
      and from_status = 'active'
  ),
  chosen as (
    select id
    from deployments
    where status = 'active' or drain_until is not null
    union
    select id
    from ended
  ),
  counted as (
    select d.*, first_day + floor(extract(epoch from now() - first_day) / ${countedDays * 86_400}) * ${`${countedDays * 86_400} seconds`}::interval as since
    from deployments d
    join chosen using (id)
    cross join lateral date_trunc('day', d.created_at, 'UTC') as first_day
  )
  select
    d.id, p.name as project, d.environment, d.team_id, d.project_id, d.node, d.since,
    case
      when d.status = 'active' then coalesce(last_why <> all (array['crashed', 'out_of_memory', 'lost', 'node_died']), true)
      when d.status = 'failed' then false
    end as is_up,
    crashed, out_of_memory, lost, node_died, memory_bytes, memory_limit_bytes,
    (cpu_limit_ms::float8 / nullif(measured_ms, 0))::float8 as cpu_limit_cores
  from counted d
  join projects p on p.id = d.project_id
  cross join lateral (
    select
      (array_agg(why order by number desc))[1] as last_why,
      count(*) filter (where why = 'crashed' and at >= d.since) as crashed,
      count(*) filter (where why = 'out_of_memory' and at >= d.since) as out_of_memory,
      count(*) filter (where why = 'lost' and at >= d.since) as lost,
      count(*) filter (where why = 'node_died' and at >= d.since) as node_died
    from moves
    where deployment_id = d.id
  ) moved
  left join lateral (
    select memory_bytes, memory_limit_bytes, cpu_limit_ms, measured_ms
    from usage_minutes
    where deployment_id = d.id
      and at > now() - interval '2 minutes'
    order by at desc
    limit 1
  ) used on true
  order by d.status = 'active' desc, d.created_at desc, d.id desc
  limit ${limit}`;
