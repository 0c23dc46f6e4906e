import type { Scope } from '@paddock/contract';
import type { Sql } from '../../../db/connect.ts';

export type KeyStore = ReturnType<typeof keyStore>;

export interface KeyRow {
  id: string;
  name: string;
  scopes: Scope[];
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  /** The key's owner still belongs to the team. */
  has_owner: boolean;
}

/** The form of a complete key, which its displayed prefix does not have. */
const wholeKey = 'pk_(?:live|test)_[0-9A-Za-z]{42}';

/** Queries of the controls for keys. */
export const keyStore = (sql: Sql) => ({
  liveKeys: (team_id: string) => sql<KeyRow[]>`
    select k.id, k.name, k.scopes, k.created_at, k.last_used_at, k.expires_at, m.user_id is not null as has_owner
    from api_keys k
    left join team_members m on m.team_id = k.team_id and m.user_id = k.user_id
    where k.team_id = ${team_id}
      and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > now())
    order by k.created_at, k.id`,

  /** Recorded actions of each key within `days`, without refused ones. */
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

  /** Columns of the table of keys, as they are now. */
  columnsOfKeys: () => sql<{ name: string; type: string }[]>`
    select column_name as name, data_type as type
    from information_schema.columns
    where table_schema = current_schema()
      and table_name = 'api_keys'
    order by ordinal_position`,

  /** The newest keys of a team: the size of each stored hash (SHA-256 expected), and whether the row shows a complete working key. */
  sampleOfKeys: (team_id: string, limit: number) => sql<{ id: string; name_of: string; hash_bytes: number; shows_live_key: boolean }[]>`
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
      where team_id = ${team_id}
      order by created_at desc, id desc
      limit ${limit}
    ) s`,

  /** When the installation first signed something; null before. */
  async firstSigned(): Promise<string | null> {
    const [row] = await sql<[{ at: string | null }]>`
      select min(created_at) as at
      from audit_checkpoints`;
    return row.at;
  },
});
