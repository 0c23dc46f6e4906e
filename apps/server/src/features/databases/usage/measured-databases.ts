import type { Sql } from '../../../db/connect.ts';

export interface MeasuredDatabase {
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

/** Databases of all teams with their last sample: those that are expected to run, then the newest. */
export const measuredDatabases = (sql: Sql, limit: number) => sql<MeasuredDatabase[]>`
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
  limit ${limit}`;
