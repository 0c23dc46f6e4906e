import type { Provider, Scope } from '@paddock/contract';
import type { Sql, Tx } from '../../../db/connect.ts';

export interface PersonAccess {
  id: string;
  name: string;
  email: string;
  role: string;
  has_password: boolean;
  has_second_factor: boolean;
  providers: Provider[];
  sessions: number;
  seen_at: string | null;
}
export interface IdentityAccess {
  subject_id: string;
  user_id: string;
  held_by: string;
  provider: Provider;
  email: string;
  created_at: string;
  last_used_at: string;
}
export interface KeyAccess {
  family_id: string;
  user_id: string;
  held_by: string;
  name: string;
  key_prefix: string;
  key_suffix: string;
  scopes: Scope[];
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  last_used_ip: string | null;
}
/** The current access to a team, longest unused first. */
export interface Access {
  people: PersonAccess[];
  identities: IdentityAccess[];
  keys: KeyAccess[];
}

/** The current access, as kind and subject. The subject of a key is its family; an identity that is linked again is a new one. */
export const liveSubjects = (sql: Sql | Tx, team_id: string) => sql`
  select 'person' as kind, m.user_id as subject_id
  from team_members m
  where m.team_id = ${team_id}
  union all
  select 'identity', ${identitySubject(sql)}
  from identities i
  join team_members m on m.user_id = i.user_id
  where m.team_id = ${team_id}
  union all
  select 'api_key', k.family_id
  ${liveKeys(sql, team_id)}`;

const identitySubject = (sql: Sql | Tx) => sql`
  i.user_id || ':' || i.provider || ':' || extract(epoch from i.created_at)`;

/** Usable keys: of a person of the team, neither revoked nor expired. */
const liveKeys = (sql: Sql | Tx, team_id: string) => sql`
  from api_keys k
  join team_members m on m.team_id = k.team_id and m.user_id = k.user_id
  join users u on u.id = k.user_id
  where k.team_id = ${team_id}
    and k.revoked_at is null
    and (k.expires_at is null or k.expires_at > now())`;

/** Reads the current access: people of the team, the identities they sign in with, the live keys. */
export async function readAccess(sql: Sql | Tx, team_id: string): Promise<Access> {
  const people = await sql<PersonAccess[]>`
    select u.id, u.name, u.email, m.role, u.password_hash is not null as has_password, coalesce(f.is_confirmed, false) as has_second_factor,
      array(
        select provider
        from identities
        where user_id = u.id
        order by provider
      ) as providers,
      (
        select count(*)::int
        from sessions
        where user_id = u.id
          and expires_at > now()
      ) as sessions,
      greatest(
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
    order by seen_at nulls first, u.id`;
  const identities = await sql<IdentityAccess[]>`
    select ${identitySubject(sql)} as subject_id, i.user_id, u.name as held_by, i.provider, i.email, i.created_at, i.last_used_at
    from identities i
    join team_members m on m.user_id = i.user_id
    join users u on u.id = i.user_id
    where m.team_id = ${team_id}
    order by i.last_used_at, i.user_id, i.provider`;
  const keys = await sql<KeyAccess[]>`
    select k.family_id, k.user_id, u.name as held_by, k.name, k.key_prefix, k.key_suffix, k.scopes, k.created_at, k.expires_at,
      k.last_used_at, k.last_used_ip
    ${liveKeys(sql, team_id)}
    order by k.last_used_at nulls first, k.created_at, k.id`;
  return { people, identities, keys };
}
