import { type Sql, singleRow, type Tx } from '../../../db/connect.ts';

/** Projects of a team. Those that are being deleted do not count. */
export async function countProjects(sql: Sql | Tx, team_id: string): Promise<number> {
  const rows = await sql<{ count: number }[]>`
    select count(*)::int as count
    from projects
    where team_id = ${team_id}
      and deleting_at is null`;
  return singleRow(rows).count;
}
