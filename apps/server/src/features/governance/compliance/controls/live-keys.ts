import type { Scope } from '@paddock/contract';
import type { Sql } from '../../../../db/connect.ts';

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

/** The usable API keys of a team. */
export const loadLiveKeys = (sql: Sql, team_id: string) => sql<KeyRow[]>`
  select k.id, k.name, k.scopes, k.created_at, k.last_used_at, k.expires_at, m.user_id is not null as has_owner
  from api_keys k
  left join team_members m on m.team_id = k.team_id and m.user_id = k.user_id
  where k.team_id = ${team_id}
    and k.revoked_at is null
    and (k.expires_at is null or k.expires_at > now())
  order by k.created_at, k.id`;
