import { connectionString, type DatabaseAddress } from '@paddock/database-driver';
import { connect } from '../../../db/connect.ts';

/** Of one database; each table is counted up to so many rows. */
const mostTables = 200;
const mostRows = 1_000_000;

/** Rows by table of somebody's PostgreSQL, counted with its user's own rights. */
export async function countRows(address: DatabaseAddress, password: string): Promise<Map<string, number>> {
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
      limit ${mostTables}`;
    const counts = new Map<string, number>();
    for (const { name } of tables) {
      const [row] = await sql.unsafe<[{ rows: number }]>(`
        select count(*)::float8 as rows
        from (
          select 1
          from ${name}
          limit ${mostRows}
        ) some_rows`);
      counts.set(name, row.rows);
    }
    return counts;
  } finally {
    await sql.end({ timeout: 1 });
  }
}
