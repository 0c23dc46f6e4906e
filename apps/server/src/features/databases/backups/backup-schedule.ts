import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { dayMs } from '@paddock/contract/time';
import type { Reserve } from '../../../disk/reserve.ts';
import { createIsolatedLoop, type IsolatedLoop } from '../../../jobs/isolated-loop.ts';
import type { PeriodicJob } from '../../../jobs/periodic.ts';
import type { Log } from '../../../log.ts';
import { typeLabel } from '../type-labels.ts';
import type { BackupNodeStore } from './backup-node-store.ts';
import { backupFailed, backupFile, type DatabaseAlerts, readFileSize } from './backup-tasks.ts';

/** Retry delay after a failed backup. */
const againMs = 3_600_000;
/** Backups started per minute: after a long downtime of the server all are due at once. */
const atOnce = 4;
/**
 * Files without a row are kept for this long: the row may be about to be written, or the platform's database was restored to an earlier
 * state.
 */
const nobodysMs = dayMs;

export interface ScheduleParts {
  store: BackupNodeStore;
  backupsDir: string;
  alerts: DatabaseAlerts;
  /** Isolates failures: one tenant's database or file must not block the others. */
  each: IsolatedLoop;
}

/** Makes daily backups of this node's databases and removes old ones. */
export function backupJobs(parts: Omit<ScheduleParts, 'each'> & { node: string; reserve: Reserve; log: Log }): PeriodicJob[] {
  const { node, reserve, log } = parts;
  const scheduling = createIsolatedLoop(log, 'backup scheduling', { reserve });
  const sweeping = createIsolatedLoop(log, 'backup cleanup', { reserve, need: 'removal' });
  return [
    { name: 'database-backup.schedule', of: node, everySeconds: 60, run: () => scheduleBackups({ ...parts, each: scheduling }) },
    { name: 'database-backup.sweep', of: node, everySeconds: 600, run: () => sweepBackups({ ...parts, each: sweeping }) },
  ];
}

/** Time of day (UTC) in ms: constant for a database, and spread over the day across databases. */
export const timeOfDay = (id: string) => Math.floor((createHash('sha256').update(id).digest().readUInt32BE(0) / 2 ** 32) * dayMs);

interface Daily {
  id: string;
  created_at: string;
  last_daily: string | null;
  last_failure: string | null;
}

/** Milliseconds since the last backup time, even if the server was off then. Undefined if no backup is due. */
export function dueFor({ id, created_at, last_daily, last_failure }: Daily, now: number): number | undefined {
  const ofToday = Math.floor(now / dayMs) * dayMs + timeOfDay(id);
  const last = ofToday <= now ? ofToday : ofToday - dayMs;
  const isDone = [created_at, last_daily].some((at) => at !== null && Date.parse(at) >= last);
  const isPausing = last_failure !== null && now - Date.parse(last_failure) < againMs;
  return isDone || isPausing ? undefined : now - last;
}

/** Starts the backups that are due. A database that should run and cannot be backed up for an hour raises an alert. */
export async function scheduleBackups({ store, alerts, each }: Omit<ScheduleParts, 'backupsDir'>): Promise<void> {
  const due = (await store.dueFrom()).flatMap((row) => {
    const ms = dueFor(row, Date.parse(row.now));
    return ms === undefined ? [] : [{ ...row, ms }];
  });
  const startable = due.filter((row) => row.status === 'available').slice(0, atOnce);
  const missed = due.filter((row) => row.status !== 'available' && row.ms >= againMs);
  await each([...startable, ...missed], ({ id }) => id, take);

  async function take({ id, team_id, project_id, type, status }: (typeof due)[number]) {
    if (status === 'available') return await store.addDaily(team_id, id);
    const name = typeLabel[type];
    await alerts.raise(team_id, {
      rule: 'backup_missed',
      severity: 'critical',
      database_id: id,
      project_id,
      lasting: true,
      title: `A ${name} database is not backed up`,
      message: `The daily backup of the ${name} database could not be made, since the database has not been available since its time came. Look at it under Databases. Older backups are kept.`,
    });
  }
}

/** Removes expired backups, and reconciles rows and files. */
export async function sweepBackups({ store, backupsDir, alerts, each }: ScheduleParts): Promise<void> {
  const fileOf = (backup: { database_id: string; id: string }) => backupFile(backupsDir, backup);
  const idOf = ({ id }: { id: string }) => id;
  await each(await store.expire(), idOf, (backup) => rm(fileOf(backup), { force: true }));
  await each(await store.abandoned(), idOf, (backup) =>
    backupFailed({ store, alerts }, backup, 'It was begun several times and never finished, since the server ended meanwhile.'),
  );
  await each(await store.available(), idOf, async (backup) => {
    if ((await readFileSize(fileOf(backup))) === undefined) await backupFailed({ store, alerts }, backup, 'Its file is missing.');
  });
  await removeNobodys(backupsDir, store, each);
}

async function removeNobodys(backupsDir: string, store: BackupNodeStore, each: IsolatedLoop) {
  const nobodys: string[] = [];
  // Each folder belongs to one database. Rows are read after the files were listed, so that a file written in between has its row.
  for (const folder of await names(backupsDir)) {
    const files = await names(join(backupsDir, folder));
    const idOf = (name: string) => name.replace(/\.draft$/, '');
    const known = files.length === 0 ? new Set<string>() : await store.known(files.map(idOf));
    for (const name of files) if (!known.has(idOf(name))) nobodys.push(join(backupsDir, folder, name));
  }
  await each(nobodys, String, async (file) => {
    const age = await stat(file).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0, // already removed
    );
    if (age > nobodysMs) await rm(file, { force: true });
  });
}

async function names(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
