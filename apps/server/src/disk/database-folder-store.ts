import type { Sql } from '../db/connect.ts';

/** Where PostgreSQL keeps what is not a file of ours, on its own machine. Null: this role may not ask. */
export async function databaseFolder(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ folder: string | null }[]>`
    select case when pg_has_role(current_user, 'pg_read_all_settings', 'usage') then current_setting('data_directory') end as folder`;
  return row?.folder ?? null;
}
