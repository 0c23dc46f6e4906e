import type { Sql } from '../../db/connect.ts';

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
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'log_lines'::regclass and c.relname ~ '^log_lines_[0-9]{8}$' and c.relname < ${oldest} order by 1`;
  for (const { name } of rows) await sql.unsafe(`drop table if exists ${name}`);
  await sql`delete from log_lines_default where created_at < ${new Date(now - keepDays * day).toISOString()}`;
  return rows.map((row) => row.name);
}
