import type { Sql } from '../../../db/connect.ts';
import type { SubjectPlace } from '../../../subjects/subject-store.ts';

const maxExamples = 20;

/** Accounts of the team's own people, which only their owners may delete; they are only reported. */
export const teamAccounts = (sql: Sql): SubjectPlace => ({
  place: 'accounts',
  async find(team_id, { inText }) {
    const rows = await sql<{ id: string; at: string }[]>`
      select u.id, u.created_at as at
      from team_members m
      join users u on u.id = m.user_id
      where m.team_id = ${team_id}
        and (u.email ilike any(${inText}) or u.name ilike any(${inText}))
      order by u.created_at
      limit ${maxExamples}`;
    return { found: rows.length, examples: rows };
  },
});
