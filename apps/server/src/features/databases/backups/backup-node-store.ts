import { backupLimits } from '@paddock/contract';
import type { BackupResult, DatabaseAddress } from '@paddock/database-driver';
import type { Sql } from '../../../db/connect.ts';
import { newId } from '../../../ids.ts';
import type { ManagedRow, Task } from '../rows.ts';
import { insertBackup } from './backup-store.ts';

export type BackupNodeStore = ReturnType<typeof backupNodeStore>;

/** Of those that were made before restores. */
const beforeRestoreMost = 10;
const deadline = `${backupLimits.daily_kept_days} days`;

export interface StoredBackup {
  id: string;
  team_id: string;
  database_id: string;
  project_id: string;
  type: ManagedRow['type'];
  status: 'queued' | 'running' | 'available' | 'failed';
  size_bytes: number | null;
  sha256: string | null;
  created_at: string;
}
interface DailyRow extends Pick<StoredBackup, 'team_id' | 'project_id' | 'type' | 'created_at'> {
  id: string;
  status: 'available' | 'failed' | 'provisioning';
  last_daily: string | null;
  last_failure: string | null;
  now: string;
}
export type LostBackup = Pick<StoredBackup, 'id' | 'team_id' | 'database_id' | 'project_id' | 'type'>;

/** A restore's task and the backup that is made before it have one number, so that a second try finds what the first one made. */
export const beforeRestoreId = (task: Pick<Task, 'id'>) => `bak_${task.id.replace(/^tsk_/, '')}`;

/** The side of the node that has the databases: what becomes of their backups. */
export const backupNodeStore = (sql: Sql, node: string) => {
  const stored = sql`
    k.id, k.team_id, k.database_id, b.project_id, b.type, k.status, k.size_bytes::float8 as size_bytes, k.sha256, k.created_at
    from database_backups k
    join databases b on b.id = k.database_id`;
  const mine = sql`b.mode = 'managed' and b.node = ${node}`;
  const isOpen = sql`
    exists (
      select 1
      from database_tasks t
      where t.status in ('queued', 'running')
        and t.database_id = k.database_id
        and (t.backup_id = k.id or 'bak_' || substr(t.id, 5) = k.id)
    )`;
  const isNewest = sql`
    k.id = (
      select n.id
      from database_backups n
      where n.database_id = k.database_id
        and n.status = 'available'
      order by n.created_at desc, n.id desc
      limit 1
    )`;

  return {
    async get(team_id: string, id: string): Promise<StoredBackup | undefined> {
      const [row] = await sql<StoredBackup[]>`
        select ${stored}
        where k.team_id = ${team_id}
          and k.id = ${id}`;
      return row;
    },

    /** Work on it begins, or begins anew. */
    async begin(team_id: string, id: string): Promise<StoredBackup | undefined> {
      await sql`
        update database_backups
        set status = 'running', error_message = null
        where team_id = ${team_id}
          and id = ${id}
          and status in ('queued', 'running')`;
      return this.get(team_id, id);
    },

    /** That of a restore, made with its first try. */
    async beginBeforeRestore(team_id: string, database_id: string, task: Task): Promise<StoredBackup | undefined> {
      const id = beforeRestoreId(task);
      await sql`
        insert into database_backups ${sql({ id, team_id, database_id, trigger: 'before_restore', status: 'running' })}
        on conflict (id) do nothing`;
      return this.get(team_id, id);
    },

    made: (team_id: string, id: string, { size_bytes, sha256, version }: BackupResult) => sql`
      update database_backups
      set
        status = 'available',
        error_message = null,
        size_bytes = ${size_bytes},
        sha256 = ${sha256},
        version = ${version},
        finished_at = now(),
        expires_at = case when trigger <> 'manual' then created_at + ${deadline}::interval end
      where team_id = ${team_id}
        and id = ${id}`,

    /** It is kept for as long as a daily one, to be read. */
    failed: (team_id: string, id: string, message: string) => sql`
      update database_backups
      set
        status = 'failed',
        error_message = ${message},
        finished_at = coalesce(finished_at, now()),
        expires_at = now() + ${deadline}::interval
      where team_id = ${team_id}
        and id = ${id}`,

    restoring: (id: string) => sql`
      update databases b
      set status = 'restoring', status_message = null
      where ${mine}
        and b.id = ${id}
        and b.wanted <> 'deleted'`,
    restored: (id: string, at: DatabaseAddress) => sql`
      update databases b
      set
        status = 'available',
        status_message = null,
        host = ${at.host},
        port = ${at.port},
        version = ${at.version}
      where ${mine}
        and b.id = ${id}
        and b.status = 'restoring'`,
    /** What was there goes on. A copy that never came to be (it has no port) stays without content: started, it would be an empty database. */
    notRestored: (id: string, message: string, was_failed: boolean) => sql`
      update databases b
      set
        status = case when b.port is null or ${was_failed} then 'failed' else 'available' end,
        wanted = case when b.port is null and b.wanted = 'running' then 'stopped' else b.wanted end,
        status_message = ${message}
      where ${mine}
        and b.id = ${id}
        and b.status = 'restoring'`,

    /** What the schedule judges by, with the database's clock. */
    dueFrom: () => sql<DailyRow[]>`
      select
        b.id, b.team_id, b.project_id, b.type, b.status, b.created_at, now() as now,
        (
          select max(k.created_at)
          from database_backups k
          where k.database_id = b.id
            and k.trigger = 'daily'
            and k.status <> 'failed'
        ) as last_daily,
        (
          select max(k.created_at)
          from database_backups k
          where k.database_id = b.id
            and k.trigger = 'daily'
            and k.status = 'failed'
        ) as last_failure
      from databases b
      where ${mine}
        and b.status in ('available', 'failed', 'provisioning')
        and b.wanted = 'running'`,

    /** Unless it is not available any more. */
    addDaily: (team_id: string, database_id: string) =>
      sql.begin(async (tx) => {
        const [row] = await tx`
          select 1
          from databases
          where team_id = ${team_id}
            and id = ${database_id}
            and status = 'available'
          for no key update`;
        if (row) await insertBackup(tx, { team_id, database_id, id: newId('bak'), task_id: newId('tsk'), trigger: 'daily' });
      }),

    /** Takes what is too old off the lists; never the newest one that something can be restored from. Returns what was taken off. */
    expire: () => sql<{ id: string; database_id: string }[]>`
      delete from database_backups
      where id in (
        select k.id
        from database_backups k
        join databases b on b.id = k.database_id
        where ${mine}
          and k.status in ('available', 'failed')
          and not ${isOpen}
          and (${isNewest}) is not true
          and (
            k.expires_at < now()
            or (
              k.trigger = 'before_restore'
              and k.id not in (
                select r.id
                from database_backups r
                where r.database_id = k.database_id
                  and r.trigger = 'before_restore'
                order by r.created_at desc
                limit ${beforeRestoreMost}
              )
            )
          )
      )
      returning id, database_id`,

    /** Those that nobody makes: what should have made them was given up. */
    abandoned: () => sql<LostBackup[]>`
      select ${stored}
      where ${mine}
        and k.status in ('queued', 'running')
        and not ${isOpen}
        and k.created_at < now() - interval '1 minute'`,
    available: () => sql<StoredBackup[]>`
      select ${stored}
      where ${mine}
        and k.status = 'available'
        and k.finished_at < now() - interval '1 minute'`,
    /** All that rows name, so that other files are nobody's; what a failed one left behind is of no use. */
    async known(): Promise<Set<string>> {
      const rows = await sql<{ id: string }[]>`
        select k.id
        from database_backups k
        where k.status <> 'failed'`;
      return new Set(rows.map(({ id }) => id));
    },
  };
};
