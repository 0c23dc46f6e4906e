import type { Sql } from '../db/connect.ts';

/** The partitions of a table, ordered by name and so by time. */
export async function listPartitions(sql: Sql, parent: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select c.relname as name
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${parent}::regclass
    order by 1`;
  return rows.map(({ name }) => name);
}
