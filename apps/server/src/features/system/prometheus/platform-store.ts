import type { Sql } from '../../../db/connect.ts';

export interface DatabaseRow {
  id: string;
  project: string;
  environment: string;
  type: string;
  mode: string;
  /** Null: it is not expected to run. */
  is_up: boolean | null;
  size_bytes: number | null;
  storage_limit_bytes: number | null;
  /** The last sample, from the last three minutes; else null. */
  connections: number | null;
  memory_bytes: number | null;
}
export interface Queue {
  queued: number;
  building: number;
  deploying: number;
  active: number;
  /** 0 when no deployment waits. */
  oldest_s: number;
  mails: number;
}
export type PlatformStore = ReturnType<typeof platformStore>;

/** Maximum rows of a list that grows with the installation. */
const maxEntries = 500;

/** All SQL that reads the platform itself for Prometheus. */
export const platformStore = (sql: Sql) => ({
  nodes: () => sql<{ label: string; is_up: boolean }[]>`
    select label, owner is not null and seen_at > now() - timeout_s * interval '1 second' as is_up
    from nodes
    order by seen_at desc
    limit ${maxEntries}`,

  async queue(): Promise<Queue> {
    const [row] = await sql<[Queue]>`
      select
        count(*) filter (where status = 'queued') as queued,
        count(*) filter (where status = 'building') as building,
        count(*) filter (where status = 'deploying') as deploying,
        coalesce(extract(epoch from now() - min(created_at) filter (where status = 'queued')), 0)::float8 as oldest_s,
        (
          select count(*)
          from deployments
          where status = 'active'
        ) as active,
        (
          select count(*)
          from mails
          where sent_at is null
            and given_up_at is null
        ) as mails
      from deployments
      where status in ('queued', 'building', 'deploying')`;
    return row;
  },

  shortages: () => sql<{ cause: string; state: string; spools: number }[]>`
    select cause, state, count(*)::int as spools
    from audit_shortages
    group by cause, state`,

  jobs: () => sql<{ name: string; has_failed: boolean; last_run_s: number }[]>`
    select name, last_error is not null as has_failed, extract(epoch from last_run_at)::float8 as last_run_s
    from periodic_jobs
    where last_run_at is not null
    order by last_run_at desc
    limit ${maxEntries}`,

  databases: (limit: number) => sql<DatabaseRow[]>`
    select
      b.id, p.name as project, b.environment, b.type, b.mode, b.size_bytes, b.storage_limit_bytes, connections, memory_bytes,
      case when b.wanted = 'running' then b.status = 'available' end as is_up
    from databases b
    join projects p on p.id = b.project_id
    left join lateral (
      select connections, memory_bytes
      from database_samples
      where database_id = b.id
        and at > now() - interval '3 minutes'
      order by at desc
      limit 1
    ) measured on true
    order by b.wanted = 'running' desc, b.created_at desc, b.id desc
    limit ${limit}`,
});
