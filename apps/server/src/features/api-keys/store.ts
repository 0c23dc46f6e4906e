import { ApiError, type ApiKey, type Scope } from '@paddock/contract';
import { keyLimits } from '@paddock/contract/limits';
import type { Sql, Tx } from '../../db/connect.ts';
import type { KeyUse } from '../../http/authenticate.ts';
import { pageOf, readCursor } from '../../http/cursor.ts';

export type ApiKeyStore = ReturnType<typeof apiKeyStore>;

export interface NewKey {
  id: string;
  token_hash: Buffer;
  key_prefix: string;
  key_suffix: string;
}
export interface KeyRules {
  user_id: string;
  name: string;
  is_test_key: boolean;
  scopes: Scope[];
  expires_in_days: number | null;
}

/** All SQL about API keys. */
export const apiKeyStore = (sql: Sql) => {
  const get = async (team_id: string, id: string, tx: Tx = sql): Promise<ApiKey> => {
    const [row] = await tx<ApiKey[]>`
      select ${columns(tx)}
      from api_keys k
      where k.team_id = ${team_id}
        and k.id = ${id}`;
    if (!row) throw new ApiError('api_key_not_found');
    return row;
  };

  /** Changes of a team's keys happen one after the other: its row is what they wait for, as the trigger that counts changes does. */
  const inTurn = <T>(team_id: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
    sql.begin(async (tx) => {
      await tx`
        select 1
        from teams
        where id = ${team_id}
        for no key update`;
      return work(tx);
    }) as Promise<T>;

  const insert = async (tx: Tx, team_id: string, key: NewKey, rules: KeyRules, family_id: string): Promise<ApiKey> => {
    const [{ live }] = await tx<[{ live: number }]>`
      select count(*)::int as live
      from api_keys
      where team_id = ${team_id}
        and revoked_at is null
        and (expires_at is null or expires_at > now())`;
    if (live >= keyLimits.keys) throw new ApiError('api_keys_too_many');
    await tx`
      insert into api_keys (id, team_id, user_id, family_id, name, token_hash, key_prefix, key_suffix, is_test_key, scopes, rate_limit,
        expires_in_days, expires_at)
      values (${key.id}, ${team_id}, ${rules.user_id}, ${family_id}, ${rules.name}, ${key.token_hash}, ${key.key_prefix}, ${key.key_suffix},
        ${rules.is_test_key}, ${rules.scopes}, ${rules.is_test_key ? keyLimits.test : keyLimits.live}, ${rules.expires_in_days},
        now() + make_interval(days => ${rules.expires_in_days}::int))`;
    return get(team_id, key.id, tx);
  };

  return {
    get,

    async list(team_id: string, { limit, cursor }: { limit: number; cursor?: string | undefined }) {
      const at = readCursor(cursor);
      const rows = await sql<ApiKey[]>`
        select ${columns(sql)}
        from api_keys k
        where k.team_id = ${team_id}
          ${at ? sql`and (k.created_at, k.id) < (${at.created_at}, ${at.id})` : sql``}
        order by k.created_at desc, k.id desc
        limit ${limit + 1}`;
      return pageOf(rows, limit);
    },

    /** Throws secret_shown_once when the same request made this key before, and api_keys_too_many. */
    create: (team_id: string, key: NewKey, rules: KeyRules, told: (tx: Tx, made: ApiKey) => Promise<void>) =>
      inTurn(team_id, async (tx) => {
        const [before] = await tx`
          select 1
          from api_keys
          where id = ${key.id}`;
        if (before) throw new ApiError('secret_shown_once');
        const made = await insert(tx, team_id, key, rules, key.id);
        await told(tx, made);
        return made;
      }),

    /** The old key ends in the transaction that makes the new one. Throws api_key_revoked for one that has ended already. */
    rotate: (team_id: string, id: string, key: (isTest: boolean) => NewKey, told: (tx: Tx, made: ApiKey) => Promise<void>) =>
      inTurn(team_id, async (tx) => {
        const [old] = await tx<(KeyRules & { family_id: string; replaced_by: string | null; revoked_at: string | null })[]>`
          select user_id, name, is_test_key, scopes, expires_in_days, family_id, replaced_by, revoked_at
          from api_keys
          where team_id = ${team_id}
            and id = ${id}`;
        if (!old) throw new ApiError('api_key_not_found');
        const fresh = key(old.is_test_key);
        if (old.replaced_by === fresh.id) throw new ApiError('secret_shown_once');
        if (old.revoked_at) throw new ApiError('api_key_revoked');
        await tx`
          update api_keys
          set revoked_at = now(), replaced_by = ${fresh.id}
          where id = ${id}`;
        const made = await insert(tx, team_id, fresh, old, old.family_id);
        await told(tx, made);
        return made;
      }),

    /** Also ends the key that took its place meanwhile: who revokes wants that credential gone, whoever was quicker. */
    revoke: (team_id: string, id: string) =>
      inTurn(team_id, async (tx) => {
        await get(team_id, id, tx);
        await tx`
          update api_keys
          set revoked_at = now()
          where team_id = ${team_id}
            and revoked_at is null
            and family_id = (
              select family_id
              from api_keys
              where team_id = ${team_id}
                and id = ${id}
            )`;
      }),

    /** Ends every key that acts for this person, with the given transaction. */
    async revokeAllOf(user_id: string, tx: Tx): Promise<void> {
      // In turn with other changes, and in the same order: the teams first.
      await tx`
        select 1
        from teams
        where id in (
          select team_id
          from api_keys
          where user_id = ${user_id}
            and revoked_at is null
        )
        order by id
        for no key update`;
      await tx`
        update api_keys
        set revoked_at = now()
        where user_id = ${user_id}
          and revoked_at is null`;
    },

    /**
     * One request of a live key, counted in the statement that finds it: however many come at the same time, over however many servers,
     * `rate_limit` of them are within it per minute. The minute begins with the first request after the one before it.
     */
    async use(token_hash: Buffer, ip: string): Promise<KeyUse | undefined> {
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
        returning k.id as key_id, k.user_id, k.team_id, u.name, u.email, k.scopes, k.rate_limit, k.window_count,
          greatest(0, extract(epoch from k.window_start + ${keyLimits.window_s} * interval '1 second' - now()))::float8 as reset_s`;
      if (!row) return undefined;
      const { scopes, rate_limit, window_count, reset_s, ...who } = row;
      return {
        actor: { ...who, session_id: null },
        scopes,
        limit: rate_limit,
        remaining: Math.max(0, rate_limit - window_count),
        is_over: window_count > rate_limit,
        reset_s,
      };
    },
  };
};

interface Use {
  key_id: string;
  user_id: string;
  team_id: string;
  name: string;
  email: string;
  scopes: Scope[];
  rate_limit: number;
  window_count: number;
  reset_s: number;
}

const isOver = (tx: Tx) => tx`k.window_start <= now() - ${keyLimits.window_s} * interval '1 second'`;

const columns = (tx: Tx) => tx`
  k.id, k.name, k.key_prefix, k.key_suffix, k.is_test_key, k.scopes,
  k.revoked_at is null and (k.expires_at is null or k.expires_at > now()) as is_active,
  k.rate_limit, k.total_requests, k.created_at, k.expires_at, k.last_used_at, k.last_used_ip, k.revoked_at,
  (
    select u.name
    from users u
    where u.id = k.user_id
  ) as created_by`;
