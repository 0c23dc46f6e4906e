import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PeriodicJob } from '../../jobs/periodic.ts';
import type { BackupNodeStore } from './backup-node-store.ts';
import { backupFailed, backupFile, type DatabaseAlerts, sizeOf } from './backup-tasks.ts';
import { nameOf } from './names.ts';

const dayMs = 86_400_000;
/** After one that failed. */
const againMs = 3_600_000;
/** After the server was away for long, all are due at once: so many begin each minute. */
const atOnce = 4;
/** A file that no row names may be one whose row is just written, or that of a platform which was put back to an earlier state. */
const nobodysMs = dayMs;

export interface ScheduleParts {
  store: BackupNodeStore;
  backupsDir: string;
  alerts: DatabaseAlerts;
  node: string;
}

/** Daily backups of this node's databases, and the end of old ones. */
export const backupJobs = (parts: ScheduleParts): PeriodicJob[] => [
  { name: 'database-backup.schedule', of: parts.node, every_s: 60, run: () => scheduleBackups(parts) },
  { name: 'database-backup.sweep', of: parts.node, every_s: 600, run: () => sweepBackups(parts) },
];

/** Within the day (UTC) in ms: always the same for a database, and spread over the day for all of them. */
export const timeOfDay = (id: string) => Math.floor((createHash('sha256').update(id).digest().readUInt32BE(0) / 2 ** 32) * dayMs);

interface Daily {
  id: string;
  created_at: string;
  last_daily: string | null;
  last_failure: string | null;
}

/** For how many ms its time has come since the last daily one; that counts too when it came while the server was off. Undefined: it has not. */
export function dueFor({ id, created_at, last_daily, last_failure }: Daily, now: number): number | undefined {
  const ofToday = Math.floor(now / dayMs) * dayMs + timeOfDay(id);
  const last = ofToday <= now ? ofToday : ofToday - dayMs;
  const isDone = [created_at, last_daily].some((at) => at !== null && Date.parse(at) >= last);
  const isPausing = last_failure !== null && now - Date.parse(last_failure) < againMs;
  return isDone || isPausing ? undefined : now - last;
}

/** One whose time came long ago, though it should run and cannot be backed up, is told of: nobody else would notice. */
export async function scheduleBackups({ store, alerts }: Pick<ScheduleParts, 'store' | 'alerts'>): Promise<void> {
  const due = (await store.dueFrom()).flatMap((row) => {
    const ms = dueFor(row, Date.parse(row.now));
    return ms === undefined ? [] : [{ ...row, ms }];
  });
  for (const { id, team_id } of due.filter((row) => row.status === 'available').slice(0, atOnce)) await store.addDaily(team_id, id);
  for (const { id, team_id, project_id, type, ms, status } of due) {
    if (status === 'available' || ms < againMs) continue;
    const name = nameOf[type];
    await alerts.raise(team_id, {
      ...{ rule: 'backup_missed', severity: 'critical', database_id: id, project_id, lasting: true },
      title: `A ${name} database is not backed up`,
      message: `The daily backup of the ${name} database could not be made, since the database has not been available since its time came. Look at it under Databases. Older backups are kept.`,
    });
  }
}

/** Takes away what is too old, and brings rows and files together. */
export async function sweepBackups({ store, backupsDir, alerts }: ScheduleParts): Promise<void> {
  for (const backup of await store.expire()) await rm(backupFile(backupsDir, backup), { force: true });
  for (const backup of await store.abandoned())
    await backupFailed({ store, alerts }, backup, 'It was begun several times and never finished, since the server ended meanwhile.');
  for (const backup of await store.available())
    if ((await sizeOf(backupFile(backupsDir, backup))) === undefined) await backupFailed({ store, alerts }, backup, 'Its file is missing.');
  await removeNobodys(backupsDir, store);
}

async function removeNobodys(backupsDir: string, store: BackupNodeStore) {
  const files: string[] = [];
  for (const folder of await names(backupsDir))
    for (const name of await names(join(backupsDir, folder))) files.push(join(backupsDir, folder, name));
  if (files.length === 0) return;
  // After the files were listed: what is written in between has its row.
  const known = await store.known();
  for (const file of files) {
    const name = file.slice(file.lastIndexOf('/') + 1).replace(/\.draft$/, '');
    if (known.has(name)) continue;
    const age = await stat(file).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0, // it has gone meanwhile
    );
    if (age > nobodysMs) await rm(file, { force: true });
  }
}

async function names(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
