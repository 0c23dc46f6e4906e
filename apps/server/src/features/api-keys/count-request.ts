import type { Scope } from '@paddock/contract';
import { keyLimits } from '@paddock/contract/limits';
import type { Sql, Tx } from '../../db/connect.ts';
import type { KeyUse } from '../../http/authenticate.ts';

interface Use {
  key_id: string;
  key_name: string;
  user_id: string;
  team_id: string;
  name: string;
  email: string;
  scopes: Scope[];
  rate_limit: number;
  window_count: number;
  reset_s: number;
  age_days: number;
}

/**
 * Finds a live key and counts its request in one statement: of any number of concurrent requests, over any number of servers, `rate_limit` are
 * within the limit per minute. A minute begins with the first request after the previous minute.
 */
export async function countRequest(sql: Sql, token_hash: Buffer, ip: string): Promise<KeyUse | undefined> {
  const [row] = await sql<Use[]>`
    update api_keys k
    set total_requests = total_requests + 1, last_used_at = now(), last_used_ip = ${ip},
      window_start = case when ${isOver(sql)} then now() else k.window_start end,
      window_count = case when ${isOver(sql)} then 1 else least(k.window_count, k.rate_limit) + 1 end
    from users u, team_members m
    where k.token_hash = ${token_hash}
      and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > now())
      and u.id = k.user_id
      and m.user_id = k.user_id
      and m.team_id = k.team_id
    returning k.id as key_id, k.name as key_name, k.user_id, k.team_id, u.name, u.email, k.scopes, k.rate_limit, k.window_count,
      greatest(0, extract(epoch from k.window_start + ${keyLimits.windowSeconds} * interval '1 second' - now()))::float8 as reset_s,
      (extract(epoch from now() - k.created_at) / 86400)::float8 as age_days`;
  if (!row) return undefined;
  const { scopes, rate_limit, window_count, reset_s, age_days, ...who } = row;
  return {
    actor: { ...who, session_id: null },
    scopes,
    limit: rate_limit,
    remaining: Math.max(0, rate_limit - window_count),
    is_over: window_count > rate_limit,
    reset_s,
    age_days,
  };
}

const isOver = (tx: Tx) => tx`k.window_start <= now() - ${keyLimits.windowSeconds} * interval '1 second'`;
