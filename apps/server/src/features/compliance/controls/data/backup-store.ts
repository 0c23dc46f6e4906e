import type { Sql } from '../../../../db/connect.ts';

/** A managed database with its newest restorable backup. */
export interface BackedUp {
  id: string;
  name: string;
  type: string;
  node: string | null;
  created_at: string;
  now: string;
  backup_id: string | null;
  backup_at: string | null;
  size_bytes: number | null;
  sha256: string | null;
  /** The error of the newest backup that failed since. */
  last_error: string | null;
}

/** The last successful restore by a user, and the last test in a scratch instance. */
export interface Restored {
  id: string;
  name: string;
  type: string;
  now: string;
  has_backup: boolean;
  restored_at: string | null;
  backup_id: string | null;
  tested_at: string | null;
  tested_backup_id: string | null;
  error_message: string | null;
  tables: number | null;
  equal_tables: number | null;
  rows_restored: number | null;
  rows_now: number | null;
}

const most = 2_000;

/** Backups and restores. Read only. */
export const backupStore = (sql: Sql) => ({
  backedUp: (team_id: string) => sql<BackedUp[]>`
    select
      b.id, p.name || ', ' || b.environment || case when b.is_attached then '' else ', ' || b.name end as name, b.type, b.node, b.created_at,
      now() as now, k.id as backup_id, k.finished_at as backup_at, k.size_bytes::float8 as size_bytes, k.sha256,
      (
        select f.error_message
        from database_backups f
        where f.database_id = b.id
          and f.status = 'failed'
          and f.created_at > coalesce(k.created_at, '-infinity')
        order by f.created_at desc
        limit 1
      ) as last_error
    from databases b
    join projects p on p.id = b.project_id
    left join lateral (
      select n.id, n.created_at, n.finished_at, n.size_bytes, n.sha256
      from database_backups n
      where n.database_id = b.id
        and n.status = 'available'
      order by n.created_at desc, n.id desc
      limit 1
    ) k on true
    where b.team_id = ${team_id}
      and b.mode = 'managed'
      and b.wanted = 'running'
      and p.deleting_at is null
    order by b.created_at, b.id
    limit ${most}`,

  /** Attached databases with their last restore: over the database itself, or into a copy beside it. */
  restored: (team_id: string) => sql<Restored[]>`
    select
      b.id, p.name || ', ' || b.environment || ', ' || b.type as name, b.type, now() as now, r.finished_at as restored_at, r.backup_id,
      s.tested_at, s.backup_id as tested_backup_id, s.error_message, s.tables, s.equal_tables, s.rows_restored::float8 as rows_restored,
      s.rows_now::float8 as rows_now,
      exists (
        select 1
        from database_backups a
        where a.database_id = b.id
          and a.status = 'available'
      ) as has_backup
    from databases b
    join projects p on p.id = b.project_id
    left join restore_tests s on s.database_id = b.id
    left join lateral (
      select t.finished_at, t.backup_id
      from database_tasks t
      join databases into_one on into_one.id = t.database_id
      where t.team_id = b.team_id
        and into_one.project_id = b.project_id
        and into_one.environment = b.environment
        and into_one.type = b.type
        and into_one.mode = 'managed'
        and t.kind = 'restore'
        and t.status = 'done'
        and (into_one.id = b.id or not into_one.is_attached)
      order by t.finished_at desc
      limit 1
    ) r on true
    where b.team_id = ${team_id}
      and b.mode = 'managed'
      and b.is_attached
      and p.deleting_at is null
    order by b.created_at, b.id
    limit ${most}`,
});
