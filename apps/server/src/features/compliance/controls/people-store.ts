import type { Sql } from '../../../db/connect.ts';

export type PeopleStore = ReturnType<typeof peopleStore>;

export interface PersonRow {
  id: string;
  name: string;
  has_password: boolean;
  has_second_factor: boolean;
  /** The last known sign-in or use; else the creation of the account. */
  seen_at: string;
}

/** Queries of the controls for people. */
export const peopleStore = (sql: Sql) => ({
  people: (team_id: string) => sql<PersonRow[]>`
    select u.id, u.name, u.password_hash is not null as has_password, coalesce(f.is_confirmed, false) as has_second_factor,
      greatest(
        u.created_at,
        (
          select max(seen_at)
          from known_devices
          where user_id = u.id
        ),
        (
          select max(last_used_at)
          from sessions
          where user_id = u.id
        )
      ) as seen_at
    from team_members m
    join users u on u.id = m.user_id
    left join second_factors f on f.user_id = u.id
    where m.team_id = ${team_id}
    order by u.created_at, u.id`,

  async openSessions(team_id: string): Promise<number> {
    const [row] = await sql<[{ count: number }]>`
      select count(*)::int as count
      from sessions
      where team_id = ${team_id}
        and expires_at > now()`;
    return row.count;
  },

  /** People of the whole installation, and how many can sign in with a password. */
  async passwords(): Promise<{ people: number; with_password: number }> {
    const [row] = await sql<[{ people: number; with_password: number }]>`
      select count(*)::int as people, count(password_hash)::int as with_password
      from users`;
    return row;
  },

  /** Records within `days` whose actor should have a name but has none. */
  async withoutActor(team_id: string, days: number): Promise<{ looked_at: number; nameless: number; examples: string[] }> {
    const [row] = await sql<[{ looked_at: number; nameless: number; examples: string[] | null }]>`
      select count(*)::int as looked_at, count(*) filter (where actor_id is null)::int as nameless,
        (array_agg(id order by seq desc) filter (where actor_id is null))[1:10] as examples
      from audit_records
      where team_id = ${team_id}
        and actor_type in ('person', 'key')
        and timestamp > now() - make_interval(days => ${days}::int)`;
    return { ...row, examples: row.examples ?? [] };
  },
});
