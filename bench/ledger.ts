import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../apps/server/src/db/connect.ts';
import { cpuSeconds, familyOf, memoryMb } from './measure.ts';

/** Everything that a platform and its database have used so far. */
export interface Ledger {
  /** CPU of the server and the gateway, without the programs that they start. */
  platform_s: number;
  /** CPU of PostgreSQL: its processes, and those that have ended. */
  database_s: number;
  /** CPU of ended programs that the server has started: builds, sandboxes, network tools. */
  programs_s: number;
  /** Rows that are there, as PostgreSQL counts them. */
  rows: number;
  /** Rows inserted, changed or deleted. */
  writes: number;
  /** Bytes of PostgreSQL's write-ahead log. */
  wal_bytes: number;
  /** Bytes of the product's tables with their indexes. */
  disk_bytes: number;
  /** Resident memory of server and gateway, in MiB (PSS). */
  memory_mb: number;
}

/** PostgreSQL's processes report their counts at most a second late. */
const statisticsMs = 2_000;

export async function readLedger(sql: Sql, pids: number[]): Promise<Ledger> {
  await sleep(statisticsMs);
  const [figures] = await sql<[Pick<Ledger, 'rows' | 'writes' | 'wal_bytes' | 'disk_bytes'> & { backend: number }]>`
    select
      pg_backend_pid() as backend,
      sum(n_tup_ins - n_tup_del)::float8 as rows,
      sum(n_tup_ins + n_tup_upd + n_tup_del)::float8 as writes,
      sum(pg_total_relation_size(relid))::float8 as disk_bytes,
      pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal_bytes
    from pg_stat_user_tables`;
  const { backend, ...counted } = figures;
  const postmaster = parentOf(backend);
  return {
    ...counted,
    platform_s: cpuSeconds(pids),
    database_s: cpuSeconds(familyOf(postmaster)) + endedChildrenSeconds(postmaster),
    programs_s: endedChildrenSeconds(pids[0]!),
    memory_mb: memoryMb(pids),
  };
}

/** The growth between two ledgers, for each of `count` units. */
export function growthPerUnit(before: Ledger, after: Ledger, count: number): Ledger {
  const keys = Object.keys(before) as (keyof Ledger)[];
  return Object.fromEntries(keys.map((key) => [key, (after[key] - before[key]) / count])) as unknown as Ledger;
}

/** Memory of the processes of sandboxes, in MiB (PSS): those whose arguments name the platform's data directory, and their children. */
export function sandboxMemoryMb(dataDir: string, except: number[]): number {
  const roots = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => !except.includes(pid) && isStartedFor(pid, dataDir));
  const pids = new Set(roots.flatMap((pid) => familyOf(pid)));
  return memoryMb([...pids].filter((pid) => existsSync(`/proc/${pid}/smaps_rollup`)));
}

function isStartedFor(pid: number, dataDir: string): boolean {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return words.includes(dataDir) && !words.includes('postgres');
  } catch {
    return false; // it has ended
  }
}

const fieldsOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');

const parentOf = (pid: number) => Number(fieldsOf(pid)[1]);

/** CPU of children that have ended and were waited for. proc(5): cutime and cstime, in ticks of 10 ms. */
const endedChildrenSeconds = (pid: number) => (Number(fieldsOf(pid)[13]) + Number(fieldsOf(pid)[14])) / 100;
