import { type Sql, singleRow, type Tx } from '../../../db/connect.ts';

/**
 * Bytes of a team's PostgreSQL databases, also of those that are read-only: the plan limits them. Redis uses memory, with a limit of its own.
 */
export async function managedStorage(sql: Sql | Tx, team_id: string): Promise<number> {
  const rows = await sql<{ bytes: number }[]>`
    select coalesce(sum(size_bytes), 0)::float8 as bytes
    from databases
    where team_id = ${team_id}
      and mode = 'managed'
      and type = 'postgresql'`;
  return singleRow(rows).bytes;
}
