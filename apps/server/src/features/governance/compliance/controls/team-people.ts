import type { Sql } from '../../../../db/connect.ts';
import type { Subject } from '../finding.ts';

export interface PersonRow {
  id: string;
  name: string;
  has_password: boolean;
  has_second_factor: boolean;
  /** The last known sign-in or use; else the creation of the account. */
  seen_at: string;
}

/** The people of a team. */
export const loadPeople = (sql: Sql, team_id: string) => sql<PersonRow[]>`
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
  order by u.created_at, u.id`;

export const personSubject = ({ id, name }: PersonRow): Subject => ({ type: 'user', id, name });
