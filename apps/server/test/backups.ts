import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { databases as contract } from '@paddock/contract';
import * as z from 'zod';
import { backupNodeStore } from '../src/features/databases/backups/backup-node-store.ts';
import { backupHandlers } from '../src/features/databases/backups/backup-routes.ts';
import { backupStore } from '../src/features/databases/backups/backup-store.ts';
import { backupTasks } from '../src/features/databases/backups/backup-tasks.ts';
import type { LiveDatabase, ManagedRow, Task } from '../src/features/databases/rows.ts';
import { databaseStore } from '../src/features/databases/store.ts';
import { calledBy, databaseRows, node } from './database-rows.ts';
import { atEnd } from './postgres.ts';

/** The calls about backups and their tasks with real rows and files; database servers are simulated. */
export async function backupWorld() {
  const rows = await databaseRows({ after: atEnd });
  const backupsDir = join(rows.dataDir, 'database-backups');
  const databases = databaseStore(rows.sql);
  const handlersWith = ({ path }: { path: string }) =>
    backupHandlers({ store: backupStore(rows.sql), databases, seal: rows.seal, backupsDir, machine: 'machine', path });
  const handlers = handlersWith({ path: '/nowhere' });
  const store = backupNodeStore(rows.sql, node);

  /** A driver that writes a dummy backup; its functions can be replaced. */
  function tasksWith(driver: Partial<Parameters<typeof backupTasks>[0]['driver']> = {}) {
    const said: string[] = [];
    const tasks = backupTasks({
      store,
      driver: {
        async backup(_spec, _address, { file }) {
          await mkdir(dirname(file), { recursive: true });
          await writeFile(file, 'content');
          return { size_bytes: 7, sha256: 'ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73', version: '18.4' };
        },
        restore: async () => ({ host: '127.0.0.1', port: 4711, version: '18.4' }),
        ...driver,
      },
      backupsDir,
      alerts: rows.alerts,
      tell: async (_, __, message) => void said.push(message),
    });
    /** Runs the oldest open task of a database, like its node. */
    const run = async (id: string, signal = AbortSignal.timeout(300_000), isLive = true) => {
      const [task] = await rows.sql<Task[]>`
        select * from database_tasks where database_id = ${id} and status in ('queued', 'running') order by created_at limit 1`;
      const [row] = await rows.sql<ManagedRow[]>`select * from databases where id = ${id}`;
      assert.ok(task && row);
      const live = isLive ? ({ row, spec: {}, address: {} } as unknown as LiveDatabase) : undefined;
      await tasks[task.kind as 'backup'](task, { row, spec: {} as LiveDatabase['spec'], live }, signal);
      await rows.sql`update database_tasks set status = 'done' where id = ${task.id}`;
    };
    return { run, said };
  }

  type Who = Awaited<ReturnType<typeof rows.team>>;
  return {
    ...rows,
    backupsDir,
    handlers,
    handlersWith,
    store,
    tasksWith,
    database: (who: Who, id: string) => databases.get(who.team_id, id),
    listed: async (who: Who, id: string, more: object = {}) =>
      z.parse(contract.backups.output, await handlers.backups({ id, limit: 50, ...more }, calledBy(who))),
    openAlerts: async (who: Who) =>
      (await rows.alerts.list(who.team_id, { limit: 50, resolved: false })).rows.map(({ message }) => message),
    async made(who: Who, id: string) {
      const { id: backup } = await handlers.createBackup({ id }, calledBy(who));
      await tasksWith().run(id);
      return backup;
    },
  };
}
export type BackupWorld = Awaited<ReturnType<typeof backupWorld>>;
