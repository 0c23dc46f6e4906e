import type { Sql } from '../../../db/connect.ts';
import type { Log } from '../../../log.ts';
import { replaceTable, retryWhileLocked } from './replace-table.ts';
import { tableCopyStore } from './table-copy-store.ts';

/** Maximum wait for another server's turn, which lasts as long as copying the largest tables. */
const turnWait = '30min';
/** Maximum number of WAL segments to overwrite. */
const maxWalSegments = 100;

export interface RewriteResult {
  /** Tables whose files were rewritten, without the bytes of removed data. */
  tables: string[];
  /** Tables that could not be rewritten: their removed rows stay in the files until PostgreSQL reuses the space. */
  left: string[];
  /** Whether the WAL up to then was overwritten. */
  journal: boolean;
}

/**
 * Deleted bytes stay in the files of a database until their space is reused. This replaces the tables by copies without interrupting others, and
 * overwrites the WAL as far as this installation's role permits. Only one server at a time.
 */
export async function rewriteTables(sql: Sql, names: readonly string[], { log, signal }: RewriteDeps): Promise<RewriteResult> {
  const one = await sql.reserve();
  try {
    await one`set lock_timeout = ${one.unsafe(`'${turnWait}'`)}`;
    await one`set statement_timeout = 0`;
    await one`select pg_advisory_lock(hashtext('paddock table copies'))`;
    await dropLeftCopies(sql, signal);
    const done: string[] = [];
    for (const name of names) if (await isReplaced(sql, name, { log, signal })) done.push(name);
    const journal = await recycleWal(one, log);
    return { tables: done, left: names.filter((name) => !done.includes(name)), journal };
  } finally {
    await one`select pg_advisory_unlock_all()`;
    await one`reset all`;
    one.release();
  }
}

interface RewriteDeps {
  log: Pick<Log, 'warn'>;
  signal: AbortSignal;
}
type ReservedSql = Awaited<ReturnType<Sql['reserve']>>;

async function dropLeftCopies(sql: Sql, signal: AbortSignal): Promise<void> {
  const store = tableCopyStore(sql);
  for (const { name, copy } of await store.left()) await retryWhileLocked(() => store.drop(name, copy), signal);
}

async function isReplaced(sql: Sql, name: string, { log, signal }: RewriteDeps): Promise<boolean> {
  try {
    if (await replaceTable(sql, name, signal)) return true;
    log.warn({ table: name }, 'table not replaced after an erasure: it has no primary key, or foreign keys');
  } catch (error) {
    log.warn({ err: error, table: name }, 'table not replaced after an erasure');
  }
  return false;
}

/**
 * Fills every existing WAL segment with new data, and removes the previous ones, which PostgreSQL would otherwise recycle with their old bytes
 * in them.
 */
async function recycleWal(one: ReservedSql, log: Pick<Log, 'warn'>): Promise<boolean> {
  try {
    const [{ recycles }] = await one<[{ recycles: boolean }]>`select current_setting('wal_recycle')::boolean as recycles`;
    if (recycles) await one`alter system set wal_recycle = off`;
    try {
      await one`select pg_reload_conf()`;
      return await fillWalSegments(one);
    } finally {
      if (recycles) await one`alter system reset wal_recycle`;
      await one`select pg_reload_conf()`;
    }
  } catch (error) {
    log.warn({ err: error }, 'WAL not overwritten after an erasure');
    return false;
  }
}

async function fillWalSegments(one: ReservedSql): Promise<boolean> {
  await one`checkpoint`;
  const [{ files }] = await one<[{ files: number }]>`
    select count(*)::int as files
    from pg_ls_waldir()`;
  for (let at = 0; at < Math.min(files + 1, maxWalSegments); at++) {
    await one`select pg_logical_emit_message(false, 'paddock', 'erasure')`;
    await one`select pg_switch_wal()`;
  }
  await one`checkpoint`;
  return files < maxWalSegments;
}
