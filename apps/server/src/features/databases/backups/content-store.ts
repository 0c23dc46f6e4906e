import { connectionString, type DatabaseAddress } from '@paddock/database-driver';
import { connect } from '../../../db/connect.ts';

/** Limits per database: tables, and rows read per table. */
const maxTables = 200;
const maxRows = 1_000_000;

export interface Content {
  rows: number;
  /** Digest of all rows as texts, in any order: equal for equal rows. Null when not all rows were read. */
  digest: string | null;
}

/** Counts and digests the rows of a tenant's PostgreSQL tables, with that user's own rights. */
export async function countContent(address: DatabaseAddress, password: string): Promise<Map<string, Content>> {
  const sql = connect(connectionString('postgresql', address, password), { max: 1, name: 'paddock-restore-test' });
  try {
    const tables = await sql<{ name: string }[]>`
      select format('%I.%I', n.nspname, c.relname) as name
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r'
        and c.relpersistence = 'p'
        and n.nspname !~ '^pg_'
        and n.nspname <> 'information_schema'
        and has_table_privilege(c.oid, 'select')
      order by c.oid
      limit ${maxTables}`;
    // These settings decide how values are formatted as text; both servers must format them alike.
    await sql`set timezone = 'UTC'`;
    await sql`set datestyle = 'ISO'`;
    await sql`set intervalstyle = 'iso_8601'`;
    await sql`set extra_float_digits = 1`;
    await sql`set bytea_output = 'hex'`;
    const contents = new Map<string, Content>();
    for (const { name } of tables) {
      const [{ rows, digest }] = await sql.unsafe<[{ rows: number; digest: string }]>(`
        select
          count(*)::float8 as rows,
          coalesce(sum(hashtextextended(some_rows::text, 0)::numeric), 0)::text as digest
        from (
          select *
          from ${name}
          limit ${maxRows}
        ) some_rows`);
      contents.set(name, { rows, digest: rows < maxRows ? digest : null });
    }
    return contents;
  } finally {
    await sql.end({ timeout: 1 });
  }
}
