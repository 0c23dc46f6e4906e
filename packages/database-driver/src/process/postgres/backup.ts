import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { listBelow, readTextBelow, StrangeFile } from '@paddock/safe-files';
import { BackupRefused } from '../../driver.ts';
import type { BackupJob } from '../engine.ts';
import { asAdmin } from './connect.ts';

/**
 * Files of a running server, and files that every start creates again. The journal is copied separately; settings stay with their database.
 */
const LEFT_OUT = [
  'pg_wal/*',
  'postmaster.pid',
  'postmaster.opts',
  'postgresql.auto.conf',
  'postgresql.auto.conf.tmp',
  'backup_label',
  'tablespace_map',
  'pg_dynshmem/*',
  'pg_notify/*',
  'pg_replslot/*',
  'pg_serial/*',
  'pg_snapshots/*',
  'pg_stat/*',
  'pg_stat_tmp/*',
  'pg_subtrans/*',
  'base/pgsql_tmp*',
  '*/pg_internal.init*',
];
/** Folders that PostgreSQL expects, even if they are empty. */
const FOLDERS = [
  'pg_wal',
  'pg_wal/archive_status',
  'pg_wal/summaries',
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_tblspc',
  'pg_twophase',
  'pg_commit_ts',
  'pg_logical/snapshots',
  'pg_logical/mappings',
];

/** Maximum journal files of one MiB each. */
const MAX_JOURNAL_FILES = 200_000;
/** Bound of the files read into memory, which have some hundred bytes. */
const MAX_FILE_BYTES = 64 * 1024;

/** Long, because the first statement waits until everything in memory is written. */
const STATEMENT_MS = 600_000;

/**
 * PostgreSQL's own online backup: the files in whatever state they are read, and the journal of that time, from which a start corrects
 * them. Everything happens on one connection: if it breaks, the server ends the backup by itself.
 */
export async function backupPostgres({ room, spec, address: { port }, pack, signal }: BackupJob): Promise<void> {
  await asAdmin(spec, { port, statementMs: STATEMENT_MS, signal }, async (sql) => {
    // A temporary slot lasts as long as the connection. Until then the server recycles no journal that the copy needs.
    await sql`SELECT pg_create_physical_replication_slot('paddock_backup', true, true)`;
    await sql`SELECT pg_backup_start('paddock', true)`;
    await pack([{ folder: room.data, exclude: LEFT_OUT }]);
    const [end] = await sql<{ label: string; last: string }[]>`
      SELECT labelfile AS label,
             pg_walfile_name(lsn) AS last
        FROM pg_backup_stop(false)`;
    const first = /^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)$/m.exec(end?.label ?? '')?.[1];
    if (!end || !first) throw new Error('PostgreSQL told no place in its journal at which the backup begins.');
    const journal = (listBelow(room.store, 'data/pg_wal', MAX_JOURNAL_FILES) ?? [])
      .map(({ name }) => name)
      .filter((name) => /^[0-9A-F]{24}$/.test(name) && name >= first && name <= end.last);
    await pack([
      {
        folder: room.data,
        include: journal.sort().map((name) => `pg_wal/${name}`),
        extra: [{ name: 'backup_label', content: end.label }],
      },
    ]);
  });
}

/** The major version that this Paddock runs. Other versions cannot read the files. */
const MAJOR = '18';

export async function postgresUnpacked(folder: string): Promise<void> {
  const read = async (name: string) => {
    const text = await readTextBelow(folder, name, MAX_FILE_BYTES).catch((cause: unknown) => {
      if (cause instanceof StrangeFile) throw new BackupRefused(`This backup of PostgreSQL cannot be used: ${cause.message}`, { cause });
      throw cause;
    });
    if (text === undefined) throw new BackupRefused(`This backup of PostgreSQL is not complete: ${name} is missing.`);
    return text;
  };
  const version = (await read('PG_VERSION')).trim().slice(0, 20);
  if (version !== MAJOR) throw new BackupRefused(`This is a backup of PostgreSQL ${version}, and this server is PostgreSQL ${MAJOR}.`);
  await read('backup_label');
  for (const name of FOLDERS) await mkdir(join(folder, name), { recursive: true, mode: 0o700 });
}
