import type { Scope } from '@paddock/contract';
import type { Sql } from '../../../db/connect.ts';

export type IdentityStore = ReturnType<typeof identityStore>;

export interface KeyRow {
  id: string;
  name: string;
  scopes: Scope[];
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  /** The person it acts for still belongs to the team. */
  has_owner: boolean;
}
export interface PersonRow {
  id: string;
  name: string;
  has_password: boolean;
  has_second_factor: boolean;
  /** The last sign-in or use that is known; the day of the account without one. */
  seen_at: string;
}

/** A form that a whole key has, and nothing shorter that is shown of it. */
const wholeKey = 'pk_(?:live|test)_[0-9A-Za-z]{42}';

/** All SQL that controls of identity read. */
export const identityStore = (sql: Sql) => ({
  liveKeys: (team_id: string) => sql<KeyRow[]>`
    select k.id, k.name, k.scopes, k.created_at, k.last_used_at, k.expires_at, m.user_id is not null as has_owner
    from api_keys k
    left join team_members m on m.team_id = k.team_id and m.user_id = k.user_id
    where k.team_id = ${team_id}
      and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > now())
    order by k.created_at, k.id`,

  /** What each key was seen to do in so many days, without what it was refused. */
  async actionsOfKeys(team_id: string, key_ids: readonly string[], days: number): Promise<Map<string, string[]>> {
    const rows = await sql<{ id: string; actions: string[] }[]>`
      select actor_id as id, array_agg(distinct action) as actions
      from audit_records
      where team_id = ${team_id}
        and actor_id = any(${key_ids as string[]})
        and actor_type = 'key'
        and status <> 'error'
        and timestamp > now() - make_interval(days => ${days}::int)
      group by actor_id`;
    return new Map(rows.map(({ id, actions }) => [id, actions]));
  },

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

  sessions: (team_id: string) => sql<
    { id: string; person: string; user_agent: string; created_at: string; last_used_at: string; expires_at: string }[]
  >`
    select s.id, u.name as person, s.user_agent, s.created_at, s.last_used_at, s.expires_at
    from sessions s
    join users u on u.id = s.user_id
    where s.team_id = ${team_id}
      and s.expires_at > now()
    order by s.last_used_at, s.id`,

  /** People of the whole installation, and those of them who can sign in with a password. */
  async passwords(): Promise<{ people: number; with_password: number }> {
    const [row] = await sql<[{ people: number; with_password: number }]>`
      select count(*)::int as people, count(password_hash)::int as with_password
      from users`;
    return row;
  },

  /** Columns of the table of keys, as they are now. */
  columnsOfKeys: () => sql<{ name: string; type: string }[]>`
    select column_name as name, data_type as type
    from information_schema.columns
    where table_schema = current_schema()
      and table_name = 'api_keys'
    order by ordinal_position`,

  /** The newest keys: whether what stands for a key has the size of a SHA-256, and whether the row shows a whole key that lets somebody in. */
  sampleOfKeys: (limit: number) => sql<{ id: string; name_of: string; hash_bytes: number; shows_live_key: boolean }[]>`
    select s.id, s.key_prefix as name_of, octet_length(s.token_hash) as hash_bytes,
      exists (
        select 1
        from regexp_matches((to_jsonb(s) - 'token_hash')::text, ${wholeKey}, 'g') as shown (parts)
        join api_keys live on live.token_hash = sha256(convert_to(shown.parts[1], 'UTF8'))
        where live.revoked_at is null
          and (live.expires_at is null or live.expires_at > now())
      ) as shows_live_key
    from (
      select *
      from api_keys
      order by created_at desc, id desc
      limit ${limit}
    ) s`,

  /** Records of so many days whose actor ought to have a name, and has none. */
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

  /** The first time that the installation signed something; null before. */
  async firstSigned(): Promise<string | null> {
    const [row] = await sql<[{ at: string | null }]>`
      select min(created_at) as at
      from audit_checkpoints`;
    return row.at;
  },
});
