import type { Config } from '../config/config.ts';
import type { Sql } from '../db/connect.ts';
import { embeddedFolder } from '../db/postgres/cluster.ts';

/**
 * PostgreSQL's data folder on its own machine. The embedded PostgreSQL is not queried: under root it runs in a separate mount namespace, where its
 * folder has another path. Null: the role has no permission to read the setting.
 */
export async function databaseFolder(sql: Sql, { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>): Promise<string | null> {
  if (databaseUrl === undefined) return embeddedFolder(dataDir);
  const [row] = await sql<{ folder: string | null }[]>`
    select case when pg_has_role(current_user, 'pg_read_all_settings', 'usage') then current_setting('data_directory') end as folder`;
  return row?.folder ?? null;
}
