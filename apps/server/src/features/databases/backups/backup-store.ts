import { ApiError, backupLimits, type DatabaseBackup, type DatabaseType, type Environment } from '@paddock/contract';
import type { Sql, Tx } from '../../../db/connect.ts';
import { pageOf, readCursor } from '../../../http/cursor.ts';
import type { Sealed } from '../../../secrets/seal.ts';

export type BackupStore = ReturnType<typeof backupStore>;

/** Copies beside the main database, per environment and type: each is a server that runs. */
const copiesMost = 5;

interface Source {
  id: string;
  project_id: string;
  environment: Environment;
  type: DatabaseType;
  mode: 'managed' | 'byo';
  status: string;
  wanted: string;
  port: number | null;
  node: string | null;
  machine: string | null;
  storage_limit_bytes: number | null;
}

/** What people ask of backups. What becomes of them is in backup-node-store.ts. */
export const backupStore = (sql: Sql) => {
  const columns = (tx: Tx) => tx`
    k.id, k.database_id, k.trigger, k.status, k.error_message, k.size_bytes::float8 as size_bytes, k.sha256, k.version, k.created_at, k.finished_at, k.expires_at`;

  /** Whoever reads it with a transaction holds it until that ends. Throws database_not_found, and database_not_managed. */
  const managed = async (team_id: string, id: string, tx?: Tx): Promise<Source> => {
    const from = tx ?? sql;
    const [row] = await from<Source[]>`
      select b.id, b.project_id, b.environment, b.type, b.mode, b.status, b.wanted, b.port, b.node, b.machine, b.storage_limit_bytes
      from databases b
      join projects p on p.id = b.project_id
      where b.team_id = ${team_id}
        and b.id = ${id}
        and p.deleting_at is null
      ${tx ? tx`for no key update of b` : sql``}`;
    if (!row) throw new ApiError('database_not_found');
    if (row.mode !== 'managed') throw new ApiError('database_not_managed');
    return row;
  };

  const one = async (tx: Tx, team_id: string, database_id: string, id: string): Promise<DatabaseBackup> => {
    const [row] = await tx<DatabaseBackup[]>`
      select ${columns(tx)}
      from database_backups k
      where k.team_id = ${team_id}
        and k.database_id = ${database_id}
        and k.id = ${id}`;
    if (!row) throw new ApiError('backup_not_found');
    return row;
  };

  /** The backup to put back and the database it is of. Throws backup_not_available. */
  const toRestore = async (tx: Tx, team_id: string, database_id: string, backup_id: string) => {
    const source = await managed(team_id, database_id, tx);
    const backup = await one(tx, team_id, database_id, backup_id);
    if (backup.status !== 'available') throw new ApiError('backup_not_available');
    return source;
  };

  const addRestore = (tx: Tx, team_id: string, task: { id: string; database_id: string; backup_id: string; of_failed?: boolean }) =>
    tx`insert into database_tasks ${tx({ ...task, team_id, kind: 'restore' })}`;

  return {
    managed,

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
      return pageOf(rows, limit);
    },

    /** With the task that makes it. Repeating it with the same id finds the one made before. Throws database_not_ready, and backups_too_many. */
    create: (team_id: string, database_id: string, { id, task_id }: { id: string; task_id: string }): Promise<DatabaseBackup> =>
      sql.begin(async (tx) => {
        const { status } = await managed(team_id, database_id, tx);
        const [before] = await tx`
          select 1
          from database_backups
          where id = ${id}
            and database_id = ${database_id}`;
        if (before) return one(tx, team_id, database_id, id);
        if (status !== 'available') throw new ApiError('database_not_ready');
        const [{ n }] = await tx<[{ n: number }]>`
          select count(*)::int as n
          from database_backups
          where database_id = ${database_id}
            and trigger = 'manual'
            and status <> 'failed'`;
        if (n >= backupLimits.manual_most) throw new ApiError('backups_too_many');
        await insertBackup(tx, { team_id, database_id, id, task_id, trigger: 'manual' });
        return one(tx, team_id, database_id, id);
      }),

    /** Throws backup_not_available while it is made, or put back. The file is the caller's. */
    remove: (team_id: string, database_id: string, id: string): Promise<void> =>
      sql.begin(async (tx) => {
        await managed(team_id, database_id, tx);
        const { status } = await one(tx, team_id, database_id, id);
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
        await tx`
          delete from database_backups
          where team_id = ${team_id}
            and id = ${id}`;
      }),

    /** Repeating it with the same task changes nothing. Throws database_not_ready, backup_not_found, and backup_not_available. */
    restoreSame: (team_id: string, database_id: string, backup_id: string, task_id: string): Promise<void> =>
      sql.begin(async (tx) => {
        const { status, port } = await toRestore(tx, team_id, database_id, backup_id);
        const [before] = await tx`
          select 1
          from database_tasks
          where id = ${task_id}`;
        if (before) return;
        // One that does not start any more needs it most. A copy that never ran has nothing to be put in order.
        const of_failed = status === 'failed' && port !== null;
        if (status !== 'available' && !of_failed) throw new ApiError('database_not_ready');
        await tx`
          update databases
          set status = 'restoring', status_message = null
          where team_id = ${team_id}
            and id = ${database_id}`;
        await addRestore(tx, team_id, { id: task_id, database_id, backup_id, of_failed });
      }),

    /** A copy beside it, on the same node. Repeating it with the same id changes nothing. Throws database_taken when there are too many. */
    restoreNew: (
      team_id: string,
      database_id: string,
      backup_id: string,
      copy: { id: string; task_id: string; secret: Sealed; now: Date },
    ): Promise<void> =>
      sql.begin(async (tx) => {
        const { project_id, environment, type, node, machine, storage_limit_bytes, wanted } = await toRestore(
          tx,
          team_id,
          database_id,
          backup_id,
        );
        if (wanted === 'deleted' || node === null) throw new ApiError('database_not_ready');
        await tx`
          select 1
          from projects
          where id = ${project_id}
          for no key update`; // names of its copies are given one after the other
        const there = await tx<{ id: string; name: string; is_attached: boolean }[]>`
          select id, name, is_attached
          from databases
          where project_id = ${project_id}
            and environment = ${environment}
            and type = ${type}
            and mode = 'managed'`;
        if (there.some(({ id }) => id === copy.id)) return;
        if (there.filter((one) => !one.is_attached).length >= copiesMost)
          throw new ApiError('database_taken', { detail: `This environment has ${copiesMost} restored copies already. Delete one first.` });
        const of = { team_id, project_id, environment, type, mode: 'managed', node, machine, storage_limit_bytes };
        const secret = { secret_sealed: copy.secret.sealed, secret_key_id: copy.secret.key_id };
        const name = copyName(copy.now, new Set(there.map((one) => one.name)));
        // Restoring from the first moment: it is never shown as available while it is still empty.
        await tx`insert into databases ${tx({ ...of, ...secret, id: copy.id, name, is_attached: false, status: 'restoring' })}`;
        await addRestore(tx, team_id, { id: copy.task_id, database_id: copy.id, backup_id });
      }),
  };
};

/** The row, and the task that makes it, in the caller's transaction. */
export async function insertBackup(
  tx: Tx,
  {
    team_id,
    database_id,
    id,
    task_id,
    trigger,
  }: { team_id: string; database_id: string; id: string; task_id: string; trigger: 'manual' | 'daily' },
) {
  await tx`insert into database_backups ${tx({ id, team_id, database_id, trigger })}`;
  await tx`insert into database_tasks ${tx({ id: task_id, team_id, database_id, kind: 'backup', backup_id: id })}`;
}

/** `restored-2026-11-21-2330`, in UTC; a second one within the minute gets `-2`. */
export function copyName(now: Date, taken: Set<string>): string {
  const [date = '', time = ''] = now.toISOString().split('T');
  const name = `restored-${date}-${time.slice(0, 5).replace(':', '')}`;
  for (let number = 2; taken.has(name) && number < 100; number++) if (!taken.has(`${name}-${number}`)) return `${name}-${number}`;
  return name;
}
