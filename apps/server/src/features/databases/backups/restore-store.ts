import { ApiError } from '@paddock/contract';
import { recordAction } from '../../../audit/record-action.ts';
import type { Sql, Tx } from '../../../db/connect.ts';
import type { Sealed } from '../../../secrets/seal.ts';
import { backupRows } from './backup-rows.ts';

/** Maximum copies beside the main database, per environment and type. Each one is a running server. */
const maxCopies = 5;

interface Which {
  database_id: string;
  backup_id: string;
}
interface Copy {
  id: string;
  task_id: string;
  secret: Sealed;
  now: Date;
}

/** Requests restores: over the backup's database, or into a copy beside it. */
export const restoreStore = (sql: Sql) => {
  const { managed, one } = backupRows(sql);

  /** The backup to restore and its database. Throws backup_not_available. */
  const toRestore = async (tx: Tx, team_id: string, { database_id, backup_id }: Which) => {
    const source = await managed(team_id, database_id, tx);
    const backup = await one(tx, team_id, { database_id, id: backup_id });
    if (backup.status !== 'available') throw new ApiError('backup_not_available');
    return source;
  };

  const addRestore = (tx: Tx, team_id: string, task: { id: string; database_id: string; backup_id: string; of_failed?: boolean }) =>
    tx`insert into database_tasks ${tx({ ...task, team_id, kind: 'restore' })}`;

  return {
    /** Repeating it with the same task changes nothing. Throws database_not_ready, backup_not_found, and backup_not_available. */
    restoreSame: (team_id: string, { database_id, backup_id, task_id }: Which & { task_id: string }): Promise<void> =>
      sql.begin(async (tx) => {
        const { status, port } = await toRestore(tx, team_id, { database_id, backup_id });
        const [before] = await tx`
          select 1
          from database_tasks
          where id = ${task_id}`;
        if (before) return;
        // A database that no longer starts needs a restore most. A copy that never ran has no content to repair.
        const of_failed = status === 'failed' && port !== null;
        if (status !== 'available' && !of_failed) throw new ApiError('database_not_ready');
        await tx`
          update databases
          set status = 'restoring', status_message = null
          where team_id = ${team_id}
            and id = ${database_id}`;
        await addRestore(tx, team_id, { id: task_id, database_id, backup_id, of_failed });
        await recordAction(tx, backup_id, { output: { database_id } });
      }),

    /**
     * Creates a copy beside the database, on the same node. Repeating it with the same id changes nothing. Throws database_taken when there
     * are too many copies.
     */
    restoreNew: (team_id: string, { database_id, backup_id, copy }: Which & { copy: Copy }): Promise<void> =>
      sql.begin(async (tx) => {
        const source = await toRestore(tx, team_id, { database_id, backup_id });
        const { project_id, environment, type, node, machine, storage_limit_bytes, wanted } = source;
        if (wanted === 'deleted' || node === null) throw new ApiError('database_not_ready');
        await tx`
          select 1
          from projects
          where id = ${project_id}
          for no key update`; // serialises the naming of copies
        const there = await tx<{ id: string; name: string; is_attached: boolean }[]>`
          select id, name, is_attached
          from databases
          where project_id = ${project_id}
            and environment = ${environment}
            and type = ${type}
            and mode = 'managed'`;
        if (there.some(({ id }) => id === copy.id)) return;
        if (there.filter((one) => !one.is_attached).length >= maxCopies)
          throw new ApiError('database_taken', { detail: `This environment has ${maxCopies} restored copies already. Delete one first.` });
        const of = { team_id, project_id, environment, type, mode: 'managed', node, machine, storage_limit_bytes };
        const secret = { secret_sealed: copy.secret.sealed, secret_key_id: copy.secret.key_id };
        const name = copyName(copy.now, new Set(there.map((one) => one.name)));
        // The status is 'restoring' from the start: the copy is never shown as available while still empty.
        await tx`insert into databases ${tx({ ...of, ...secret, id: copy.id, name, is_attached: false, status: 'restoring' })}`;
        await addRestore(tx, team_id, { id: copy.task_id, database_id: copy.id, backup_id });
        await recordAction(tx, backup_id, { output: { database_id: copy.id } });
      }),
  };
};

/** `restored-2026-11-21-2330`, in UTC; a second one within the minute gets `-2`. */
export function copyName(now: Date, taken: Set<string>): string {
  const [date = '', time = ''] = now.toISOString().split('T');
  const name = `restored-${date}-${time.slice(0, 5).replace(':', '')}`;
  for (let number = 2; taken.has(name) && number < 100; number++) if (!taken.has(`${name}-${number}`)) return `${name}-${number}`;
  return name;
}
