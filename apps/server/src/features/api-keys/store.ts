import { ApiError, type ApiKey, type Scope } from '@paddock/contract';
import { keyLimits } from '@paddock/contract/limits';
import { recordAction } from '../../audit/record-action.ts';
import type { Sql, Tx } from '../../db/connect.ts';
import { lockTeam } from '../../db/lock-team.ts';
import { paginate, readCursor } from '../../http/cursor.ts';
import { type KeyPower, mustNotExceed } from './own-power.ts';

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

/** A key to be stored. A key and its successors are one family. */
interface Inserted {
  key: NewKey;
  rules: KeyRules;
  family_id: string;
  created_by_key: string | null;
}
/** The key that requests a change; null in a session. */
interface AskedBy {
  by: string | null;
}
interface RotatedRow extends KeyRules {
  family_id: string;
  created_by_key: string | null;
  replaced_by: string | null;
  revoked_at: string | null;
}
/** Runs in the transaction that creates a key. */
type Tell = (tx: Tx, made: ApiKey) => Promise<void>;

/** All SQL about API keys, except the count of their requests. */
export const apiKeyStore = (sql: Sql) => {
  return {
    get: (team_id: string, id: string) => getKey(sql, team_id, id),

    /** The lifetime in days of successors of this key; null: unlimited. */
    async readLifetime(team_id: string, id: string): Promise<number | null> {
      const [row] = await sql<{ expires_in_days: number | null }[]>`
        select expires_in_days
        from api_keys
        where team_id = ${team_id}
          and id = ${id}`;
      if (!row) throw new ApiError('api_key_not_found');
      return row.expires_in_days;
    },

    async list(team_id: string, { limit, cursor }: { limit: number; cursor?: string | undefined }) {
      const at = readCursor(cursor);
      const rows = await sql<ApiKey[]>`
        select ${columns(sql)}
        from api_keys k
        where k.team_id = ${team_id}
          ${at ? sql`and (k.created_at, k.id) < (${at.created_at}, ${at.id})` : sql``}
        order by k.created_at desc, k.id desc
        limit ${limit + 1}`;
      return paginate(rows, limit);
    },

    /** Throws api_keys_too_many, api_key_exceeds_own, and secret_shown_once when the same request has created this key already. */
    create: (team_id: string, { key, rules, by }: AskedBy & { key: NewKey; rules: KeyRules }, tell: Tell) =>
      inTurn(sql, team_id, async (tx) => {
        const [before] = await tx`
          select 1
          from api_keys
          where id = ${key.id}`;
        if (before) throw new ApiError('secret_shown_once');
        if (by !== null) mustNotExceed(await readPower(tx, team_id, by), rules);
        const made = await insert(tx, team_id, { key, rules, family_id: key.id, created_by_key: by });
        await tell(tx, made);
        await recordAction(tx, made.id);
        return made;
      }),

    /**
     * Revokes the old key in the transaction that creates the new one. Throws api_key_revoked when the old key has ended already, and
     * api_key_exceeds_own.
     */
    rotate: (team_id: string, { id, newKey, by }: AskedBy & { id: string; newKey: (isTest: boolean) => NewKey }, tell: Tell) =>
      inTurn(sql, team_id, async (tx) => {
        const [old] = await tx<RotatedRow[]>`
          select user_id, name, is_test_key, scopes, expires_in_days, family_id, created_by_key, replaced_by, revoked_at
          from api_keys
          where team_id = ${team_id}
            and id = ${id}`;
        if (!old) throw new ApiError('api_key_not_found');
        if (by !== null && by !== id) mustNotExceed(await readPower(tx, team_id, by), old);
        const fresh = newKey(old.is_test_key);
        if (old.replaced_by === fresh.id) throw new ApiError('secret_shown_once');
        if (old.revoked_at) throw new ApiError('api_key_revoked');
        await tx`
          update api_keys
          set revoked_at = now(), replaced_by = ${fresh.id}
          where id = ${id}`;
        const made = await insert(tx, team_id, { key: fresh, rules: old, family_id: old.family_id, created_by_key: old.created_by_key });
        await tell(tx, made);
        await recordAction(tx, [id, made.id]);
        return made;
      }),

    /** Also revokes the key's successors, and the keys that they created: after a revocation no key works that was derived from this one. */
    revoke: (team_id: string, id: string) => sql.begin((tx) => revokeWithin(tx, team_id, id)),

    revokeWithin,

    /** Revokes every key that acts for this person, in the given transaction. */
    async revokeAllForUser(user_id: string, tx: Tx): Promise<void> {
      // Locks in the order of the other changes: the teams first.
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
  };
};

/** Like `revoke`, in the given transaction. */
async function revokeWithin(tx: Tx, team_id: string, id: string): Promise<void> {
  await lockTeam(tx, team_id);
  await getKey(tx, team_id, id);
  await revokeFamily(tx, team_id, id);
}

async function revokeFamily(tx: Tx, team_id: string, id: string): Promise<void> {
  const revoked = await tx<{ id: string }[]>`
    with recursive ended as (
      select family_id
      from api_keys
      where team_id = ${team_id}
        and id = ${id}
      union
      select made.family_id
      from ended
      join api_keys maker on maker.family_id = ended.family_id
      join api_keys made on made.created_by_key = maker.id
      where maker.team_id = ${team_id}
        and made.team_id = ${team_id}
    )
    update api_keys
    set revoked_at = now()
    where team_id = ${team_id}
      and revoked_at is null
      and family_id in (
        select family_id
        from ended
      )
    returning id`;
  const ids = [id, ...revoked.map((key) => key.id).filter((other) => other !== id)];
  // An access review revokes keys, too.
  if (revoked.length) await recordAction(tx, ids, { action: 'api-key.revoke' });
}

/** The permissions of a live key. Throws not_signed_in for one that ended since the request began: under the team's lock a revocation is seen. */
async function readPower(tx: Tx, team_id: string, id: string): Promise<KeyPower> {
  const [row] = await tx<KeyPower[]>`
    select user_id, scopes, is_test_key, expires_in_days
    from api_keys
    where team_id = ${team_id}
      and id = ${id}
      and revoked_at is null
      and (expires_at is null or expires_at > now())`;
  if (!row) throw new ApiError('not_signed_in');
  return row;
}

async function getKey(tx: Tx, team_id: string, id: string): Promise<ApiKey> {
  const [row] = await tx<ApiKey[]>`
    select ${columns(tx)}
    from api_keys k
    where k.team_id = ${team_id}
      and k.id = ${id}`;
  if (!row) throw new ApiError('api_key_not_found');
  return row;
}

/** Serialises changes of a team's keys: each locks the team's row, as the trigger that counts changes does. */
const inTurn = <T>(sql: Sql, team_id: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
  sql.begin(async (tx) => {
    await lockTeam(tx, team_id);
    return work(tx);
  }) as Promise<T>;

async function insert(tx: Tx, team_id: string, { key, rules, family_id, created_by_key }: Inserted): Promise<ApiKey> {
  const [{ live }] = await tx<[{ live: number }]>`
    select count(*)::int as live
    from api_keys
    where team_id = ${team_id}
      and revoked_at is null
      and (expires_at is null or expires_at > now())`;
  if (live >= keyLimits.keys) throw new ApiError('api_keys_too_many');
  await tx`
    insert into api_keys (id, team_id, user_id, family_id, name, token_hash, key_prefix, key_suffix, is_test_key, scopes, rate_limit,
      expires_in_days, expires_at, created_by_key)
    values (${key.id}, ${team_id}, ${rules.user_id}, ${family_id}, ${rules.name}, ${key.token_hash}, ${key.key_prefix}, ${key.key_suffix},
      ${rules.is_test_key}, ${rules.scopes}, ${rules.is_test_key ? keyLimits.test : keyLimits.live}, ${rules.expires_in_days},
      now() + make_interval(days => ${rules.expires_in_days}::int), ${created_by_key})`;
  return getKey(tx, team_id, key.id);
}

const columns = (tx: Tx) => tx`
  k.id, k.name, k.key_prefix, k.key_suffix, k.is_test_key, k.scopes,
  k.revoked_at is null and (k.expires_at is null or k.expires_at > now()) as is_active,
  k.rate_limit, k.total_requests, k.created_at, k.expires_at, k.last_used_at, k.last_used_ip, k.revoked_at, k.created_by_key,
  (
    select u.name
    from users u
    where u.id = k.user_id
  ) as created_by`;
