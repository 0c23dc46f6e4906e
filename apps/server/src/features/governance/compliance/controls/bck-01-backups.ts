import { createHash } from 'node:crypto';
import { lstat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { plural } from '@paddock/contract/plural';
import { dayMs } from '@paddock/contract/time';
import type { Sql } from '../../../../db/connect.ts';
import type { Control, ControlFinding } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { agoText, failed, passed, type Subject, unverified, within } from '../finding.ts';

const maxDatabases = 2_000;
/** Maximum age of a backup: a day, plus an hour for making the next one. */
const freshMs = dayMs + 3_600_000;
/** Bytes read per run to compare checksums. Files do not change: a file read today is read again tomorrow. */
const bytesOfRun = 2 * 1024 ** 3;
/** Maximum size of a file. One above a run's bytes is read by a run that has read nothing else. */
const maxFileBytes = 4 * 1024 ** 3;
const readAgainMs = dayMs;
const maxCached = 10_000;

interface Read {
  key: string;
  at: number;
}

/** BCK-01: each running managed database has a backup from the last day, and its file is unchanged since it was written. */
export function backupControl({ sql, dataDir }: Pick<ControlDeps, 'sql' | 'dataDir'>): Control {
  const folder = join(dataDir, 'database-backups');
  const read = new Map<string, Read>();
  return {
    id: 'BCK-01',
    of: 'team',
    async check(team_id, signal) {
      const rows = await loadBackups(sql, team_id);
      const resources: ControlFinding[] = [];
      const left = { bytes: bytesOfRun };
      for (const row of rows) resources.push(await judge(row, { folder, read, left, signal }));
      return {
        looked_at: `The newest backup of ${plural(rows.length, 'managed database')} that should run, and its file.`,
        absence: 'The team has no managed database.',
        resources,
      };
    },
  };
}

interface Files {
  folder: string;
  read: Map<string, Read>;
  left: { bytes: number };
  signal: AbortSignal;
}

async function judge(row: BackedUp, files: Files): Promise<ControlFinding> {
  const subject: Subject = { type: 'database', id: row.id, name: row.name };
  const path = `/databases?open=${row.id}&tab=backups`;
  const fix = { text: 'Look at the backups of the database, and back it up now.', path };
  const now = Date.parse(row.now);
  const { backup_id, backup_at, size_bytes, sha256 } = row;
  const evidence = { backup_id, backup_at, size_bytes, sha256 };
  const because = row.last_error ? ` The last try failed: ${row.last_error}` : '';
  if (backup_id === null || backup_at === null) {
    if (within(row.created_at, freshMs, now) && !row.last_error) {
      const finding = `The database was made ${agoText(row.created_at, now)}, and its first daily backup is not due yet.`;
      return unverified(subject, finding, { evidence, fix: { text: 'Wait for the daily backup, or back it up now.', path } });
    }
    return failed(subject, `There is no backup of this database.${because}`, { evidence, fix });
  }
  if (!within(backup_at, freshMs, now))
    return failed(subject, `The last good backup is older than a day: it was made ${agoText(backup_at, now)}.${because}`, {
      evidence,
      fix,
    });
  if (!size_bytes || !sha256) return failed(subject, 'The last backup is empty or has no checksum.', { evidence, fix });
  const wrong = await fileFault({ id: backup_id, path: `${row.id}/${backup_id}`, size_bytes, sha256 }, files);
  if (wrong === undefined)
    return passed(subject, `The last backup was made ${agoText(backup_at, now)}, and its file has its checksum.`, evidence);
  if (wrong.is === 'unseen') return unverified(subject, wrong.finding, { evidence, fix: { text: wrong.text, path } });
  return failed(subject, wrong.finding, { evidence, fix: { text: wrong.text, path } });
}

interface Backup {
  id: string;
  path: string;
  size_bytes: number;
  sha256: string;
}
interface Fault {
  is: 'failed' | 'unseen';
  finding: string;
  text: string;
}

async function fileFault({ id, path, size_bytes, sha256 }: Backup, { folder, read, left, signal }: Files): Promise<Fault | undefined> {
  const file = await lstat(join(folder, path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
  const text = 'Back the database up again, and delete this backup.';
  if (!file) {
    // The cleanup on the database's own node finds missing files there; another server cannot see them.
    const finding = 'The file of the last backup is not on this server: it is gone, or another server has it.';
    return { is: 'unseen', finding, text: 'Back the database up again, or check on the server that has the database.' };
  }
  if (file.size !== size_bytes)
    return { is: 'failed', finding: `The file of the last backup has ${file.size} bytes instead of ${size_bytes}.`, text };
  const key = `${file.size} ${file.mtimeMs}`;
  const before = read.get(id);
  if (before?.key === key && Date.now() - before.at < readAgainMs) return undefined;
  if (file.size > (left.bytes === bytesOfRun ? maxFileBytes : left.bytes)) {
    const finding = `The file of the last backup has its size; its ${file.size} bytes were not read, since this check had read enough.`;
    return {
      is: 'unseen',
      finding,
      text: 'Check again: the next check reads on. A backup beyond 4 GiB is compared only when it is restored.',
    };
  }
  left.bytes = Math.max(0, left.bytes - file.size);
  if ((await checksum(join(folder, path), signal)) !== sha256.toLowerCase())
    return { is: 'failed', finding: 'The file of the last backup is damaged: it does not have its checksum.', text };
  read.delete(id);
  read.set(id, { key, at: Date.now() });
  if (read.size > maxCached) read.delete(read.keys().next().value!);
  return undefined;
}

async function checksum(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const handle = await open(path);
  await pipeline(handle.createReadStream(), hash, { signal });
  return hash.digest('hex');
}

/** A managed database with its newest restorable backup. */
interface BackedUp {
  id: string;
  name: string;
  type: string;
  node: string | null;
  created_at: string;
  now: string;
  backup_id: string | null;
  backup_at: string | null;
  size_bytes: number | null;
  sha256: string | null;
  /** The error of the newest backup that failed since. */
  last_error: string | null;
}

const loadBackups = (sql: Sql, team_id: string) => sql<BackedUp[]>`
  select
    b.id, p.name || ', ' || b.environment || case when b.is_attached then '' else ', ' || b.name end as name, b.type, b.node, b.created_at,
    now() as now, k.id as backup_id, k.finished_at as backup_at, k.size_bytes::float8 as size_bytes, k.sha256,
    (
      select f.error_message
      from database_backups f
      where f.database_id = b.id
        and f.status = 'failed'
        and f.created_at > coalesce(k.created_at, '-infinity')
      order by f.created_at desc
      limit 1
    ) as last_error
  from databases b
  join projects p on p.id = b.project_id
  left join lateral (
    select n.id, n.created_at, n.finished_at, n.size_bytes, n.sha256
    from database_backups n
    where n.database_id = b.id
      and n.status = 'available'
    order by n.created_at desc, n.id desc
    limit 1
  ) k on true
  where b.team_id = ${team_id}
    and b.mode = 'managed'
    and b.wanted = 'running'
    and p.deleting_at is null
  order by b.created_at, b.id
  limit ${maxDatabases}`;
