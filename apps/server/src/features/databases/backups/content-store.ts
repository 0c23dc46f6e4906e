import { connectionString, type DatabaseAddress } from '@paddock/database-driver';
import { connect } from '../../../db/connect.ts';

/** Of one database; each table is read up to so many rows. */
const maxTables = 200;
const maxRows = 1_000_000;

export interface Content {
  rows: number;
  /** Of all rows as texts, in any order: equal for equal rows. Null where not all were read. */
  digest: string | null;
}

/** What the tables of somebody's PostgreSQL hold, read with its user's own rights. */
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
    // What decides how values read as text: two servers must write them alike.
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
