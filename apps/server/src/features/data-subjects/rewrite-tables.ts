import type { Sql } from '../../db/connect.ts';
import type { Log } from '../../log.ts';
import { replaceTable, retryWhileLocked } from './replace-table.ts';
import { tableCopyStore } from './table-copy-store.ts';

/** Another server may be at it: its turn lasts as long as copying the largest tables. */
const turnWait = '30min';
/** Files of the journal that are written over. */
const maxWalSegments = 100;

export interface RewriteResult {
  /** Tables whose files were made anew, without the bytes of what was removed. */
  tables: string[];
  /** Those that could not be: their removed rows stay in the files until PostgreSQL needs the room. */
  left: string[];
  /** Whether the journal (WAL) up to then was written over. */
  journal: boolean;
}

/**
 * Deleted bytes stay in the files of a database until their room is needed. This puts copies in the place of the tables, without the others noticing, and has
 * the journal written over as far as the role of this installation may. One server at a time.
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
 * Fills every file of the journal that is there with what comes now, and has those of before removed, which PostgreSQL would use again with their old bytes
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
    log.warn({ err: error }, 'the journal of the database could not be written over after an erasure');
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
