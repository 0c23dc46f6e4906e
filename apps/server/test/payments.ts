import { connect, type Sql } from '../src/db/connect.ts';
import { testDatabase } from './postgres.ts';

/** A new migrated database for the test, or another connection to that of `beside`. */
export async function databaseOf(t: { after: (end: () => Promise<unknown>) => unknown }, beside?: Sql): Promise<Sql> {
  const database = beside ? undefined : await testDatabase();
  const sql = connect(database?.url ?? urlOf.get(beside!)!, { max: 5 });
  urlOf.set(sql, database?.url ?? urlOf.get(beside!)!);
  t.after(async () => {
    await sql.end();
    await database?.drop();
  });
  return sql;
}
const urlOf = new WeakMap<Sql, string>();
