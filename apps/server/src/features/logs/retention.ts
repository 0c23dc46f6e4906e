import { logLevels } from '@paddock/contract';
import { dayMs } from '@paddock/contract/time';
import type { Sql, Tx } from '../../db/connect.ts';
import { removeInBatches } from '../../jobs/remove-in-batches.ts';
import { countsLock } from './count-store.ts';
import type { Level } from './line-sql.ts';

const dayName = (at: number) => new Date(at).toISOString().slice(0, 10);
// The number is arbitrary, but must be the same in every replica.
const lock = 4_000_402;
const partition = (date: string) => `log_lines_${date.replaceAll('-', '')}`;

/**
 * Creates the partitions of today and the next days, so that lines always land in a partition that can be dropped whole. When several
 * servers start together, one creates them.
 */
export const makePartitions = (sql: Sql, now = Date.now()) =>
  sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${lock})`; // 'if not exists' alone does not see a partition that another server is creating
    for (let ahead = 0; ahead <= 3; ahead++) {
      const from = dayName(now + ahead * dayMs);
      const to = dayName(now + (ahead + 1) * dayMs);
      await tx.unsafe(`create table if not exists ${partition(from)} partition of log_lines for values from ('${from}') to ('${to}')`);
    }
  });

/** Drops the days older than the retention; returns their names. */
export async function dropOldPartitions(sql: Sql, keepDays: number, now = Date.now()): Promise<string[]> {
  const oldest = partition(dayName(now - keepDays * dayMs));
  const rows = await sql<{ name: string }[]>`
    select c.relname as name
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'log_lines'::regclass
      and c.relname ~ '^log_lines_[0-9]{8}$'
      and c.relname < ${oldest}
    order by 1`;
  for (const { name } of rows) await dropPartition(sql, name);
  const keptFrom = new Date(now - keepDays * dayMs).toISOString();
  await removeInBatches((rows) => removeStrayLines(sql, keptFrom, rows));
  return rows.map((row) => row.name);
}

/** Deletes lines of days that had no partition, and subtracts them from the counts. */
async function removeStrayLines(sql: Sql, keptFrom: string, limit: number): Promise<{ count: number }> {
  const [removed] = await sql<[{ count: number }]>`
    with gone as (
      delete from log_lines_default
      where ctid = any(array(
        select ctid
        from log_lines_default
        where created_at < ${keptFrom}
        limit ${limit}
      ))
      returning deployment_id, number, level
    ),
    counted as (
      select
        gone.deployment_id,
        count(*) filter (where gone.level = 'debug') as debug,
        count(*) filter (where gone.level = 'info') as info,
        count(*) filter (where gone.level = 'warning') as warning,
        count(*) filter (where gone.level = 'error') as error
      from gone
      join log_heads h on h.deployment_id = gone.deployment_id
      where gone.number > h.counted_since
      group by 1
    ),
    subtracted as (
      update log_heads h
      set
        debug_lines = greatest(0, h.debug_lines - counted.debug),
        info_lines = greatest(0, h.info_lines - counted.info),
        warning_lines = greatest(0, h.warning_lines - counted.warning),
        error_lines = greatest(0, h.error_lines - counted.error)
      from counted
      where counted.deployment_id = h.deployment_id
    )
    select count(*)::int as count
    from gone`;
  return removed;
}

/** Counting a day of many millions of lines takes longer than the usual statement timeout. */
const countTimeout = '15min';

/** Drops the day and subtracts its lines from the counts. */
const dropPartition = (sql: Sql, name: string) =>
  sql
    .begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${countsLock})`;
      await tx.unsafe(`set local statement_timeout = '${countTimeout}'`);
      const gone = await tx.unsafe<Gone[]>(`
        select l.deployment_id, l.level, h.counted_since, count(*)::float8 as lines
        from ${name} l
        join log_heads h on h.deployment_id = l.deployment_id
        where l.number > h.counted_since
        group by 1, 2, 3`);
      // Before any head is updated: writers of lines also lock the table first and then the head.
      await tx.unsafe(`drop table if exists ${name}`);
      for (const level of logLevels) await subtract(tx, level, gone);
    })
    .catch(async (error: unknown) => {
      // Freeing space must not need space, nor a count that completes. The counts are then too high; the next count finds and corrects
      // that.
      if (!uncountable.has(String((error as { code?: unknown }).code))) throw error;
      await sql.unsafe(`drop table if exists ${name}`);
    });

/** The disk is full, the count took too long, or a lock was not available. */
const uncountable = new Set(['53100', '57014', '55P03']);

interface Gone {
  deployment_id: string;
  level: Level;
  counted_since: number;
  lines: number;
}

function subtract(tx: Tx, level: Level, gone: readonly Gone[]) {
  const rows = gone.filter((row) => row.level === level);
  const column = tx(`${level}_lines`);
  return tx`
    update log_heads h
    set ${column} = greatest(0, h.${column} - gone.lines::bigint)
    from unnest(
      ${rows.map((row) => row.deployment_id)}::text[],
      ${rows.map((row) => row.counted_since)}::bigint[],
      ${rows.map((row) => row.lines)}::float8[]
    ) as gone (deployment_id, counted_since, lines)
    where gone.deployment_id = h.deployment_id
      and gone.counted_since = h.counted_since`;
}
