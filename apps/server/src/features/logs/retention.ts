import { logLevels } from '@paddock/contract';
import type { Sql, Tx } from '../../db/connect.ts';
import { removeInBatches } from '../../jobs/remove-in-batches.ts';
import { countsLock } from './count-store.ts';
import type { Level } from './line-sql.ts';

const day = 86_400_000;
const dayName = (at: number) => new Date(at).toISOString().slice(0, 10);
// Any number will do, as long as every replica takes the same.
const lock = 4_000_402;
const partition = (date: string) => `log_lines_${date.replaceAll('-', '')}`;

/** Makes the partitions of today and the next days, so that lines always have a home that can be dropped whole. Of servers that start together one makes them. */
export const makePartitions = (sql: Sql, now = Date.now()) =>
  sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${lock})`; // 'if not exists' alone does not see what another is just making
    for (let ahead = 0; ahead <= 3; ahead++) {
      const from = dayName(now + ahead * day);
      const to = dayName(now + (ahead + 1) * day);
      await tx.unsafe(`create table if not exists ${partition(from)} partition of log_lines for values from ('${from}') to ('${to}')`);
    }
  });

/** Drops the days that are older than the retention; returns their names. */
export async function dropOldPartitions(sql: Sql, keepDays: number, now = Date.now()): Promise<string[]> {
  const oldest = partition(dayName(now - keepDays * day));
  const rows = await sql<{ name: string }[]>`
    select c.relname as name
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'log_lines'::regclass
      and c.relname ~ '^log_lines_[0-9]{8}$'
      and c.relname < ${oldest}
    order by 1`;
  for (const { name } of rows) await dropPartition(sql, name);
  const keptFrom = new Date(now - keepDays * day).toISOString();
  await removeInBatches((rows) => removeStrayLines(sql, keptFrom, rows));
  return rows.map((row) => row.name);
}

/** Lines of days that had no partition, together with their places in the counts. */
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

/** Counting a day of many millions of lines takes longer than other statements may. */
const countTimeout = '15min';

/** The day goes together with its lines' places in the counts. */
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
      // Before any head is touched: whoever writes lines takes the table first and then the head, too.
      await tx.unsafe(`drop table if exists ${name}`);
      for (const level of logLevels) await subtract(tx, level, gone);
    })
    .catch(async (error: unknown) => {
      // Freeing space must need none, and no count that comes to an end. The counts are too high then, which whoever reads them sees and mends.
      if (!uncountable.has(String((error as { code?: unknown }).code))) throw error;
      await sql.unsafe(`drop table if exists ${name}`);
    });

/** The disk is full, the count took too long, or a lock was not to be had. */
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
