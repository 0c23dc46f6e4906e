import type { Sql } from '../../db/connect.ts';
import type { Log } from '../../log.ts';

/** Whoever reads or writes the table waits so long at most; otherwise it is tried again. */
const lockWait = '5s';
const tries = 5;
/** Files of the journal that are written over. */
const maxJournalFiles = 100;

export interface Rewritten {
  /** Tables whose files were made anew, without the bytes of what was removed. */
  tables: string[];
  /** Those that could not be: their removed rows stay in the files until PostgreSQL needs the room. */
  left: string[];
  /** Whether the journal (WAL) up to then was written over. */
  journal: boolean;
}

/**
 * What is deleted stays in the files of a database until its room is needed. This makes the files of tables anew, and has the journal written over as far
 * as the role of this installation may.
 */
export async function rewriteTables(sql: Sql, names: readonly string[], log: Pick<Log, 'warn'>): Promise<Rewritten> {
  const one = await sql.reserve();
  try {
    await one`set lock_timeout = ${one.unsafe(`'${lockWait}'`)}`;
    await one`set statement_timeout = 0`;
    const done: string[] = [];
    for (const name of names) if (await rewritten(one, name, log)) done.push(name);
    const journal = await journalWrittenOver(one, log);
    return { tables: done, left: names.filter((name) => !done.includes(name)), journal };
  } finally {
    await one`reset all`;
    one.release();
  }
}

type One = Awaited<ReturnType<Sql['reserve']>>;

async function rewritten(one: One, name: string, log: Pick<Log, 'warn'>): Promise<boolean> {
  for (let at = 1; at <= tries; at++)
    try {
      await one`vacuum (full) ${one(name)}`;
      return true;
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === '42P01') return true; // retention dropped it meanwhile
      if (at === tries || code !== '55P03') {
        log.warn({ err: error, table: name }, 'the files of a table could not be made anew after an erasure');
        return false;
      }
    }
  return false;
}

/**
 * Fills every file of the journal that is there with what comes now, and has those of before removed, which PostgreSQL would use again with their old bytes
 * in them.
 */
async function journalWrittenOver(one: One, log: Pick<Log, 'warn'>): Promise<boolean> {
  try {
    const [{ recycles }] = await one<[{ recycles: boolean }]>`select current_setting('wal_recycle')::boolean as recycles`;
    if (recycles) await one`alter system set wal_recycle = off`;
    try {
      await one`select pg_reload_conf()`;
      return await fillJournal(one);
    } finally {
      if (recycles) await one`alter system reset wal_recycle`;
      await one`select pg_reload_conf()`;
    }
  } catch (error) {
    log.warn({ err: error }, 'the journal of the database could not be written over after an erasure');
    return false;
  }
}

async function fillJournal(one: One): Promise<boolean> {
  await one`checkpoint`;
  const [{ files }] = await one<[{ files: number }]>`
    select count(*)::int as files
    from pg_ls_waldir()`;
  for (let at = 0; at < Math.min(files + 1, maxJournalFiles); at++) {
    await one`select pg_logical_emit_message(false, 'paddock', 'erasure')`;
    await one`select pg_switch_wal()`;
  }
  await one`checkpoint`;
  return files < maxJournalFiles;
}
