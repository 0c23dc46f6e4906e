import type { Sql } from '../src/db/connect.ts';

type Whose = { project_id: string } | { email: string } | 'the only project';

/** The id of a team, by one of its projects or by a member. */
export async function teamOf(sql: Sql, whose: Whose): Promise<string> {
  const rows = await teamsOf(sql, whose);
  const [row, ...others] = rows;
  if (!row || others.length > 0) throw new Error(`${rows.length} teams are meant by ${JSON.stringify(whose)}`);
  return row.team_id;
}

function teamsOf(sql: Sql, whose: Whose) {
  if (whose === 'the only project') return sql<{ team_id: string }[]>`select distinct team_id from projects`;
  if ('email' in whose)
    return sql<{ team_id: string }[]>`select m.team_id from team_members m join users u on u.id = m.user_id where u.email = ${whose.email}`;
  return sql<{ team_id: string }[]>`select team_id from projects where id = ${whose.project_id}`;
}
