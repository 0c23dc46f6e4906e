import { backupLimits } from '@paddock/contract';
import type { BackupResult } from '@paddock/database-driver';
import type { Sql } from '../../../db/connect.ts';
import { newId } from '../../../ids.ts';
import type { Task } from '../rows.ts';
import { backupFragments, type StoredBackup } from './backup-fragments.ts';
import { insertBackup } from './backup-store.ts';
import { restoreTaskStore } from './restore-task-store.ts';
import { scheduleStore } from './schedule-store.ts';

export type BackupNodeStore = ReturnType<typeof backupNodeStore>;

const deadline = `${backupLimits.dailyKeptDays} days`;

/** A restore's task and the backup made before it share a number, so that a retry finds the backup of the first attempt. */
export const beforeRestoreId = (task: Pick<Task, 'id'>) => `bak_${task.id.replace(/^tsk_/, '')}`;

/** The worker's queries about backups, for the node that has the databases. */
export const backupNodeStore = (sql: Sql, node: string) => {
  const { stored } = backupFragments(sql, node);
  const get = async (team_id: string, id: string): Promise<StoredBackup | undefined> => {
    const [row] = await sql<StoredBackup[]>`
      select ${stored}
      where k.team_id = ${team_id}
        and k.id = ${id}`;
    return row;
  };

  return {
    get,
    ...restoreTaskStore(sql, node),
    ...scheduleStore(sql, node),

    /** Marks a backup as running, also when a task is repeated. */
    async begin(team_id: string, id: string): Promise<StoredBackup | undefined> {
      await sql`
        update database_backups
        set status = 'running', error_message = null
        where team_id = ${team_id}
          and id = ${id}
          and status in ('queued', 'running')`;
      return get(team_id, id);
    },

    /** Adds a daily backup, unless the database is no longer available. */
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

    /** Adds the backup made before a restore, on the restore's first attempt. */
    async beginBeforeRestore(team_id: string, database_id: string, task: Task): Promise<StoredBackup | undefined> {
      const id = beforeRestoreId(task);
      await sql`
        insert into database_backups ${sql({ id, team_id, database_id, trigger: 'before_restore', status: 'running' })}
        on conflict (id) do nothing`;
      return get(team_id, id);
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

    /** A failed backup is listed for as long as a daily one. */
    failed: (team_id: string, id: string, message: string) => sql`
      update database_backups
      set
        status = 'failed',
        error_message = ${message},
        finished_at = coalesce(finished_at, now()),
        expires_at = now() + ${deadline}::interval
      where team_id = ${team_id}
        and id = ${id}`,
  };
};
