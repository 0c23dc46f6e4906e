import type { Sql } from '../../../db/connect.ts';

/** The team that the evidence is about. */
export const teamStore = (sql: Sql) => ({
  async name(team_id: string): Promise<string> {
    const [team] = await sql<{ name: string }[]>`
      select name
      from teams
      where id = ${team_id}`;
    return team?.name ?? team_id;
  },
});
