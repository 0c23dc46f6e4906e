import type { Database, DatabaseBackup } from '@paddock/contract';
import { dayMs, hourMs, iso } from '@paddock/contract/time';
import { sampleId } from '../../../demo/ids.ts';
import { type SampleProjectName, sampleProjectId } from '../../projects/demo/samples.ts';

const gigabyte = 1024 ** 3;
const megabyte = 1024 ** 2;

/** Ports of the demo's databases. */
export const demoPorts = { postgresql: 5432, redis: 6379 } as const;
export const demoVersions = { postgresql: '18.1', redis: '8.4.0' } as const;
export const demoLimits = { postgresql: 5 * gigabyte, redis: 256 * megabyte } as const;

type Sample = Pick<Database, 'type'> &
  Partial<Omit<Database, 'created_at' | 'last_backup_at'>> & {
    of: SampleProjectName;
    ago: number;
    backedUp?: number;
  };

const nearlyFull = 'Storage: More than 80 % of the 5 GB that it may have is used. Remove what is not needed, or move to a larger plan.';
const full =
  'Storage: All of the 5 GB that it may have is used: transactions are read-only. To make room, in a session that begins with SET default_transaction_read_only = off, remove data (DROP, TRUNCATE, or DELETE and then VACUUM FULL), or move to a larger plan. It is writable again below 95 %.';

/** Newest first, in the order of the list. */
const samples: Sample[] = [
  { of: 'web-scout', type: 'postgresql', environment: 'preview', ago: 40_000, status: 'provisioning', size_bytes: null, version: null },
  {
    of: 'support-router',
    type: 'postgresql',
    name: 'restored-2026-11-18-0300',
    is_attached: false,
    ago: 2 * dayMs,
    size_bytes: 3.9 * gigabyte,
  },
  { of: 'support-router', type: 'redis', ago: 31 * dayMs, size_bytes: 38.4 * megabyte, backedUp: 7 * hourMs },
  {
    of: 'support-router',
    type: 'postgresql',
    ago: 31 * dayMs,
    size_bytes: Math.round(4.2 * gigabyte),
    status_message: nearlyFull,
    backedUp: 7 * hourMs,
  },
  {
    of: 'invoice-triage',
    type: 'postgresql',
    environment: 'preview',
    ago: 20 * dayMs,
    size_bytes: Math.round(5.02 * gigabyte),
    is_read_only: true,
    status_message: full,
    backedUp: 7 * hourMs,
  },
  { of: 'invoice-triage', type: 'postgresql', mode: 'byo', host: 'db.orders.example.org', ago: 26 * dayMs, version: '16.4' },
  {
    of: 'web-scout',
    type: 'redis',
    mode: 'byo',
    host: 'cache.example.org',
    ago: 14 * dayMs,
    status: 'unreachable',
    status_message: 'cache.example.org does not answer on port 6379: the connection timed out. Agents get its address all the same.',
    version: null,
  },
  { of: 'nightly-eval', type: 'postgresql', ago: 12 * dayMs, status: 'stopped', size_bytes: 212 * megabyte, backedUp: 3 * dayMs },
  {
    of: 'nightly-eval',
    type: 'redis',
    ago: 12 * dayMs,
    status: 'failed',
    status_message: 'Redis ended 5 times in 10 minutes, last with exit code 1. Its data is kept; start it again to retry.',
    size_bytes: 12 * megabyte,
    backedUp: 4 * dayMs,
  },
];

export const sampleDatabases = (now: number): Database[] =>
  samples.map(({ of, ago, backedUp, ...given }, index) => {
    const isManaged = given.mode !== 'byo';
    return {
      id: sampleId('db', index + 1),
      project_id: sampleProjectId(of),
      project_name: of,
      environment: 'production',
      mode: 'managed',
      name: 'main',
      is_attached: true,
      status: 'available',
      status_message: null,
      host: '127.0.0.1',
      port: demoPorts[given.type],
      version: demoVersions[given.type],
      size_bytes: null,
      storage_limit_bytes: isManaged ? demoLimits[given.type] : null,
      is_read_only: false,
      last_backup_at: backedUp === undefined ? null : iso(now - backedUp),
      created_at: iso(now - ago),
      ...given,
    };
  });

/** A week of daily backups for each sample that has backups; one failed, and one was made by hand. */
export function sampleBackups(now: number): DatabaseBackup[] {
  const rows: Omit<DatabaseBackup, 'id'>[] = [];
  for (const database of sampleDatabases(now)) {
    if (database.last_backup_at === null) continue;
    const last = Date.parse(database.last_backup_at);
    const size = Math.round((database.size_bytes ?? 0) * 0.3);
    for (let back = 0; back < 7; back += 1) {
      const failed = back === 4;
      const at = last - back * dayMs;
      rows.push({
        database_id: database.id,
        trigger: 'daily',
        status: failed ? 'failed' : 'available',
        error_message: failed ? 'The disk of the server was full after 0.8 GB. The backups before are not affected.' : null,
        size_bytes: failed ? null : Math.round(size * (1 - back * 0.01)),
        sha256: failed ? null : demoChecksum(rows.length),
        version: demoVersions[database.type],
        created_at: iso(at),
        finished_at: iso(at + 40_000),
        expires_at: iso(at + 7 * dayMs),
      });
      if (back !== 2) continue;
      const byHand = { trigger: 'manual', sha256: demoChecksum(rows.length + 1000), expires_at: null } as const;
      rows.push({
        ...(rows.at(-1) as Omit<DatabaseBackup, 'id'>),
        ...byHand,
        created_at: iso(at - 5 * hourMs),
        finished_at: iso(at - 5 * hourMs + 30_000),
      });
    }
  }
  return rows.map((row, index) => ({ id: sampleId('bak', index + 1), ...row }));
}

/** Looks like a SHA-256, but belongs to no file. */
export const demoChecksum = (number: number) =>
  Array.from({ length: 64 }, (_, index) => (Math.imul(number * 64 + index + 1, 0x85ebca6b) >>> 28).toString(16)).join('');
