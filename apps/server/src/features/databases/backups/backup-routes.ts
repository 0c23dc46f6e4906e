import { rm } from 'node:fs/promises';
import { ApiError, type Database } from '@paddock/contract';
import { pgDumpFor } from '@paddock/database-driver';
import { databaseContext } from '../../../secrets/contexts.ts';
import type { Seal } from '../../../secrets/seal.ts';
import { newPassword } from '../passwords.ts';
import type { BackupHandlers } from '../routes.ts';
import type { DatabaseStore } from '../store.ts';
import type { BackupStore } from './backup-store.ts';
import { backupFile } from './backup-tasks.ts';

interface Deps {
  store: BackupStore;
  databases: Pick<DatabaseStore, 'get' | 'connectable'>;
  seal: Seal;
  /** This server's backups. Another node has its own folder and removes the files there that have no row. */
  backupsDir: string;
  /** This machine's name. The ports of its databases are valid only on this machine. */
  machine: string;
  /** Search path for pg_dump: folders separated by colons. */
  path: string;
}

/** Time limit of an export. */
const exportMs = 30 * 60_000;

/** Maximum concurrent exports. Each one is a process that reads a whole database. */
const exportsAtOnce = 4;

/** The calls about backups of managed databases. */
export function backupHandlers({ store, databases, seal, backupsDir, machine, path }: Deps): BackupHandlers {
  let exporting = 0;
  return {
    async backups({ id, ...page }, { actor }) {
      const { rows, next_cursor } = await store.list(actor.team_id, id, page);
      return { backups: rows, next_cursor };
    },

    backup: ({ id, backup_id }, { actor }) => store.get(actor.team_id, id, backup_id),

    createBackup: ({ id }, { actor, newId }) => store.create(actor.team_id, id, { id: newId('bak'), task_id: newId('tsk') }),

    async deleteBackup({ id, backup_id }, { actor }) {
      await store.remove(actor.team_id, id, backup_id);
      await rm(backupFile(backupsDir, { database_id: id, id: backup_id }), { force: true });
      return null;
    },

    async restore({ id, backup_id, into }, { actor, newId }): Promise<Database> {
      if (into === 'same') {
        await store.restoreSame(actor.team_id, { database_id: id, backup_id, task_id: newId('tsk') });
        return databases.get(actor.team_id, id);
      }
      const copy = newId('db');
      await store.restoreNew(actor.team_id, {
        database_id: id,
        backup_id,
        copy: { id: copy, task_id: newId('tsk'), secret: newPassword(seal, copy), now: new Date() },
      });
      return databases.get(actor.team_id, copy);
    },

    async exportSql({ id }, { actor, signal }) {
      const { machine: where } = await store.managed(actor.team_id, id);
      const row = await databases.connectable(actor.team_id, id);
      if (row.type !== 'postgresql')
        throw new ApiError('export_unavailable', { detail: 'Only PostgreSQL databases can be exported as SQL.' });
      if (row.status !== 'available' || row.host === null || row.port === null) throw new ApiError('database_not_ready');
      if (where !== machine)
        throw new ApiError('export_unavailable', {
          detail: 'This database is on another machine than the server that answers. Use its connection string.',
        });
      const { version, project_name, environment } = await databases.get(actor.team_id, id);
      const dump = await pgDumpFor(version ?? '', path);
      if (!dump) throw new ApiError('export_unavailable');
      if (exporting >= exportsAtOnce) throw new ApiError('too_many_requests', { retry_after_s: 60 });
      const password = seal.open(row.secret, databaseContext(id));
      const address = { host: row.host, port: row.port, version: version ?? '' };
      const body = dump.exportSql(address, password, AbortSignal.any([signal, AbortSignal.timeout(exportMs)]));
      exporting++;
      body.once('close', () => exporting--);
      return { file_name: `${project_name}-${environment}.sql`, content_type: 'application/sql; charset=utf-8', body };
    },
  };
}
