import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupRefused, type DatabaseDriver } from '@paddock/database-driver';
import type { LogToAgents } from '../node/task-runner.ts';
import type { LiveDatabase, ManagedRow, Task, TaskHandlers } from '../rows.ts';
import { typeLabel } from '../type-labels.ts';
import type { LostBackup, StoredBackup } from './backup-fragments.ts';
import type { BackupNodeStore } from './backup-node-store.ts';

/** An alert as the alert store takes it; see features/alerts/bell/store.ts. */
export interface DatabaseAlert {
  rule: 'backup_failed' | 'backup_missed' | 'restore_failed' | 'database_failed' | 'database_nearly_full' | 'database_full';
  severity: 'warning' | 'critical';
  database_id: string;
  project_id: string;
  title: string;
  message: string;
  lasting?: boolean;
}
export interface DatabaseAlerts {
  raise(team_id: string, alert: DatabaseAlert): Promise<void>;
  clear(team_id: string, cause: Pick<DatabaseAlert, 'rule' | 'database_id'>): Promise<void>;
}

interface Deps {
  store: BackupNodeStore;
  driver: Pick<DatabaseDriver, 'backup' | 'restore'>;
  /** Holds a folder of backups for each database. */
  backupsDir: string;
  alerts: DatabaseAlerts;
  tell: LogToAgents;
}

/** `live` is undefined while the database is not running. */
interface Database {
  row: ManagedRow;
  live: LiveDatabase | undefined;
}

export const backupFile = (backupsDir: string, { database_id, id }: { database_id: string; id: string }) =>
  join(backupsDir, database_id, id);

/** Makes and restores backups. A task interrupted by a shutdown starts again from its beginning with the next server. */
export function backupTasks({ store, driver, backupsDir, alerts, tell }: Deps): Pick<TaskHandlers, 'backup' | 'restore'> {
  const make = async (backup: StoredBackup, { row, live }: Database, signal: AbortSignal) => {
    if (!live) throw await failed(backup, `The ${typeLabel[row.type]} database does not run. Start it, then back it up again.`);
    const result = await driver
      .backup(live.spec, live.address, { file: backupFile(backupsDir, backup), signal })
      .catch(async (error: unknown) => {
        if (isClosing(signal)) throw error;
        throw await failed(backup, signal.aborted ? 'It took too long and was ended.' : sentence(error));
      });
    // failpoint: backup-written
    await store.made(backup.team_id, backup.id, result);
    for (const rule of ['backup_failed', 'backup_missed'] as const) await alerts.clear(backup.team_id, { rule, database_id: row.id });
  };
  const failed = (backup: StoredBackup, message: string) => backupFailed({ store, alerts }, backup, message);

  return {
    async backup(task, { row, live }, signal) {
      const backup = await store.begin(task.team_id, task.backup_id ?? '');
      if (backup?.status === 'running') await make(backup, { row, live }, signal);
    },

    async restore(task, { row, spec, live }, signal) {
      await store.restoring(row.id);
      const say = `The ${typeLabel[row.type]} database`;
      // The database does not run, so its present content cannot be backed up first.
      const isRescue = task.of_failed && !live;
      try {
        const backup = await usable(task);
        const isSame = backup.database_id === row.id;
        if (isSame && !isRescue) await keepWhatIsThere(task, { row, live }, signal);
        // failpoint: restore-begun
        const address = await driver.restore(spec, { file: backupFile(backupsDir, backup), sha256: backup.sha256 ?? '' }, signal);
        // failpoint: restore-done
        await store.restored(row.id, address);
        await alerts.clear(row.team_id, { rule: 'restore_failed', database_id: row.id });
        if (isSame) await tell(row, 'warning', `${say} was restored to what it was at ${backup.created_at}; its connections were ended`);
      } catch (error) {
        if (isClosing(signal)) throw error;
        const why = signal.aborted ? 'It took too long and was ended.' : sentence(error);
        const isRefused = error instanceof BackupRefused || error instanceof NothingChanged;
        const message = `The restore failed${isRefused ? ', and nothing was changed' : ''}: ${why}`;
        await store.notRestored(row.id, message, isRescue);
        await alerts.raise(row.team_id, {
          rule: 'restore_failed',
          severity: 'critical',
          database_id: row.id,
          project_id: row.project_id,
          message,
          title: `A ${typeLabel[row.type]} database could not be restored`,
        });
        throw new Error(message, { cause: error });
      }
    },
  };

  /** Checks the backup before anything is changed. The driver compares the content with its checksum. */
  async function usable(task: Task): Promise<StoredBackup> {
    const backup = await store.get(task.team_id, task.backup_id ?? '');
    if (backup?.status !== 'available' || !backup.sha256) throw new NothingChanged('The backup is not there any more.');
    const size = await readFileSize(backupFile(backupsDir, backup));
    if (size === undefined) throw await lost(backup);
    if (size !== backup.size_bytes)
      throw new NothingChanged(`The backup is corrupted: its file has ${size} bytes instead of ${backup.size_bytes}.`);
    return backup;
  }

  async function lost(backup: StoredBackup) {
    return new NothingChanged((await failed(backup, 'Its file is missing.')).message, { cause: 'missing' });
  }

  async function keepWhatIsThere(task: Task, database: Database, signal: AbortSignal) {
    const { team_id, id } = database.row;
    const before = await store.beginBeforeRestore(team_id, id, task);
    // An earlier attempt of this task already made it, before anything was changed.
    if (before?.status !== 'running') return;
    await make(before, database, signal).catch((error: unknown) => {
      if (isClosing(signal)) throw error;
      throw new NothingChanged(`What is there now could not be backed up before. ${sentence(error)}`, { cause: error });
    });
  }
}

class NothingChanged extends Error {}

/** Records the failure in the row and in an alert: a failed backup is never silent. Returns the error for the task. */
export async function backupFailed(
  { store, alerts }: { store: Pick<BackupNodeStore, 'failed'>; alerts: DatabaseAlerts },
  backup: LostBackup,
  message: string,
): Promise<Error> {
  await store.failed(backup.team_id, backup.id, message.slice(0, 500));
  await alerts.raise(backup.team_id, {
    rule: 'backup_failed',
    severity: 'critical',
    database_id: backup.database_id,
    project_id: backup.project_id,
    title: `A backup of a ${typeLabel[backup.type]} database failed`,
    message: `A backup of the ${typeLabel[backup.type]} database failed: ${message.slice(0, 300)} Older backups are kept as they are.`,
  });
  return new Error(message);
}

/** The server is shutting down and the next one repeats the task. A timeout is not a shutdown. */
const isClosing = (signal: AbortSignal) => signal.aborted && (signal.reason as Error | undefined)?.name !== 'TimeoutError';
const sentence = (error: unknown) => (error instanceof Error ? error.message : String(error));

export async function readFileSize(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
