import { ApiError, backupLimits, type DatabaseBackup } from '@paddock/contract';
import { recordAction } from '../../../audit/record-action.ts';
import type { Sql, Tx } from '../../../db/connect.ts';
import { paginate, readCursor } from '../../../http/cursor.ts';
import { backupRows } from './backup-rows.ts';
import { restoreStore } from './restore-store.ts';

export type BackupStore = ReturnType<typeof backupStore>;

/** Queries behind the backups API. The worker's queries are in backup-node-store.ts. */
export const backupStore = (sql: Sql) => {
  const { columns, managed, one } = backupRows(sql);

  return {
    managed,
    ...restoreStore(sql),

    async list(team_id: string, database_id: string, { limit, cursor }: { limit: number; cursor?: string | undefined }) {
      const at = readCursor(cursor);
      await managed(team_id, database_id);
      const rows = await sql<DatabaseBackup[]>`
        select ${columns(sql)}
        from database_backups k
        where k.team_id = ${team_id}
          and k.database_id = ${database_id}
          ${at ? sql`and (k.created_at, k.id) < (${at.created_at}, ${at.id})` : sql``}
        order by k.created_at desc, k.id desc
        limit ${limit + 1}`;
      return paginate(rows, limit);
    },

    /** Throws database_not_found, database_not_managed, backup_not_found. */
    async get(team_id: string, database_id: string, id: string): Promise<DatabaseBackup> {
      await managed(team_id, database_id);
      return one(sql, team_id, { database_id, id });
    },

    /**
     * Creates a backup with its task. Repeating it with the same id finds the backup made before. Throws database_not_ready, and
     * backups_too_many.
     */
    create: (team_id: string, database_id: string, { id, task_id }: { id: string; task_id: string }): Promise<DatabaseBackup> =>
      sql.begin(async (tx) => {
        const { status } = await managed(team_id, database_id, tx);
        const [before] = await tx`
          select 1
          from database_backups
          where id = ${id}
            and database_id = ${database_id}`;
        if (before) return one(tx, team_id, { database_id, id });
        if (status !== 'available') throw new ApiError('database_not_ready');
        const [{ n }] = await tx<[{ n: number }]>`
          select count(*)::int as n
          from database_backups
          where database_id = ${database_id}
            and trigger = 'manual'
            and status <> 'failed'`;
        if (n >= backupLimits.maxManual) throw new ApiError('backups_too_many');
        await insertBackup(tx, { team_id, database_id, id, task_id, trigger: 'manual' });
        await recordAction(tx, id);
        return one(tx, team_id, { database_id, id });
      }),

    /** Throws backup_not_available while the backup is being made or restored. The caller removes the file. */
    remove: (team_id: string, database_id: string, id: string): Promise<void> =>
      sql.begin(async (tx) => {
        await managed(team_id, database_id, tx);
        const { status } = await one(tx, team_id, { database_id, id });
        const [used] = await tx`
          select 1
          from database_tasks
          where backup_id = ${id}
            and kind = 'restore'
            and status in ('queued', 'running')`;
        if (status === 'queued' || status === 'running' || used)
          throw new ApiError('backup_not_available', {
            detail: 'This backup is in use right now. Wait until it is finished, then remove it.',
          });
        await recordAction(tx, id); // while the backup's row still names its database
        await tx`
          delete from database_backups
          where team_id = ${team_id}
            and id = ${id}`;
      }),
  };
};

/** Inserts the row and its task, in the caller's transaction. */
export async function insertBackup(
  tx: Tx,
  { task_id, ...backup }: { id: string; team_id: string; database_id: string; task_id: string; trigger: 'manual' | 'daily' },
) {
  const { id, team_id, database_id } = backup;
  await tx`insert into database_backups ${tx({ ...backup })}`;
  await tx`insert into database_tasks ${tx({ id: task_id, team_id, database_id, kind: 'backup', backup_id: id })}`;
}
