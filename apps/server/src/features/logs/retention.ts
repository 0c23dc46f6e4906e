import type { Sql } from '../../db/connect.ts';

const day = 86_400_000;
// Any number that no other lock has.
const lock = 4_000_402;
const dayName = (at: number) => new Date(at).toISOString().slice(0, 10);
const partition = (date: string) => `log_lines_${date.replaceAll('-', '')}`;

/** Makes the partitions of today and the next days, so that lines always have a home that can be dropped whole. */
export async function makePartitions(sql: Sql, now = Date.now()) {
  await sql.begin(async (tx) => {
    // "if not exists" does not wait for another replica that makes the same one this moment.
    await tx`select pg_advisory_xact_lock(${lock})`;
    for (let ahead = 0; ahead <= 3; ahead++) {
      const from = dayName(now + ahead * day);
      const to = dayName(now + (ahead + 1) * day);
      await tx.unsafe(`create table if not exists ${partition(from)} partition of log_lines for values from ('${from}') to ('${to}')`);
    }
  });
}

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
