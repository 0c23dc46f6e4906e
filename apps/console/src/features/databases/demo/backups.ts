import type { Client } from '@paddock/client';
import type { Database, DatabaseBackup } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { backupLimits } from '@paddock/contract/limits';
import type { contract } from '@paddock/contract/routes';
import { answer, paginate } from '../../../demo/answering.ts';
import type { DemoWorld } from '../../../demo/demo-world.ts';
import { freshId } from '../../../demo/ids.ts';
import { findDatabase, findManaged } from './find-database.ts';
import { demoChecksum, demoVersions } from './samples.ts';

const runMs = 700;
const doneMs = 2500;
const restoreMs = 3500;

type Calls = Client<typeof contract>['databases'];

export function demoBackups(
  world: DemoWorld,
): Pick<Calls, 'backups' | 'backup' | 'createBackup' | 'deleteBackup' | 'restore' | 'exportSql'> {
  return {
    backups: ({ id, ...input }, options) =>
      answer(() => {
        const mine = world.backups.filter((each) => each.database_id === findManaged(world, id).id);
        const { rows, next_cursor } = paginate(
          mine.toSorted((a, b) => b.created_at.localeCompare(a.created_at)),
          input,
        );
        return { backups: rows, next_cursor };
      }, options),
    backup: ({ id, backup_id }, options) => answer(() => findBackup(world, findManaged(world, id).id, backup_id), options),
    createBackup: ({ id }, options) =>
      answer(() => {
        const database = findManaged(world, id);
        if (database.status !== 'available') throw new ApiError('database_not_ready');
        const byHand = world.backups.filter((each) => each.database_id === id && each.trigger === 'manual').length;
        if (byHand >= backupLimits.maxManual) throw new ApiError('backups_too_many');
        return begin(world, database, 'manual');
      }, options),
    deleteBackup: ({ id, backup_id }, options) =>
      answer(() => {
        const backup = findBackup(world, findDatabase(world, id).id, backup_id);
        world.backups.splice(world.backups.indexOf(backup), 1);
        world.changed();
        return null;
      }, options),
    restore: ({ id, backup_id, into }, options) =>
      answer(() => {
        const database = findManaged(world, id);
        if (findBackup(world, id, backup_id).status !== 'available') throw new ApiError('backup_not_available');
        if (into === 'new') return world.copy(database, restoreMs);
        if (database.status !== 'available' && database.status !== 'failed') throw new ApiError('database_not_ready');
        if (database.status === 'available') begin(world, database, 'before_restore');
        database.status = 'restoring';
        world.becomeAvailable(database, restoreMs);
        world.changed();
        return database;
      }, options),
    exportSql: ({ id }, options) =>
      answer(() => {
        const { type, project_name } = findManaged(world, id);
        if (type !== 'postgresql') throw new ApiError('export_unavailable', { detail: 'Redis has no SQL. Back it up instead.' });
        return `-- Sample data of ${project_name}\nCREATE TABLE tickets (id bigint PRIMARY KEY, subject text);\nINSERT INTO tickets VALUES (1, 'A sample');\n`;
      }, options),
  };
}

function findBackup(world: DemoWorld, database_id: string, id: string): DatabaseBackup {
  const backup = world.backups.find((each) => each.id === id && each.database_id === database_id);
  if (!backup) throw new ApiError('backup_not_found');
  return backup;
}

/** Starts a backup that completes after a moment, unless it or its database is deleted first. */
function begin(world: DemoWorld, database: Database, trigger: DatabaseBackup['trigger']): DatabaseBackup {
  const backup: DatabaseBackup = {
    id: freshId('bak'),
    database_id: database.id,
    trigger,
    status: 'queued',
    error_message: null,
    size_bytes: null,
    sha256: null,
    version: demoVersions[database.type],
    created_at: stamp(),
    finished_at: null,
    expires_at: null,
  };
  world.backups.unshift(backup);
  const later = (ms: number, act: () => void) =>
    setTimeout(() => {
      if (!world.backups.includes(backup)) return;
      act();
      world.changed();
    }, ms);
  later(runMs, () => (backup.status = 'running'));
  later(doneMs, () => {
    const size_bytes = Math.round((database.size_bytes ?? 4 * 1024 ** 2) * 0.3);
    Object.assign(backup, { status: 'available', size_bytes, sha256: demoChecksum(world.version()), finished_at: stamp() });
    database.last_backup_at = backup.created_at;
  });
  world.changed();
  return backup;
}

const stamp = () => new Date().toISOString();
