import type { Sql, Tx } from '../../db/connect.ts';
import { removeInBatches } from '../../jobs/remove-in-batches.ts';
import { newLinkToken, tokenHash } from './tokens.ts';

/** Tokens of one account. Programs that sign in without a cookie get a token each time; tokens that were never used again are removed first. */
const maxDevices = 20;

export type DeviceTokens = ReturnType<typeof deviceTokens>;

/** All SQL about known browsers, which are identified by a random token. Tokens are stored hashed, and each is bound to one account. */
export const deviceTokens = (sql: Sql) => ({
  /**
   * The name of the known browser among these tokens, for the keys of its own counters; undefined if none is known. All browsers that got their token
   * with a new password share one name until they sign in: resets must not multiply guesses. The work is the same without an account.
   */
  async knownAs(user_id: string | undefined, tokens: readonly string[]): Promise<string | undefined> {
    if (tokens.length === 0) return undefined;
    const [row] = await sql<{ token_hash: Buffer; is_proved: boolean }[]>`
      select token_hash, is_proved
      from device_tokens
      where user_id = ${user_id ?? ''}
        and token_hash in ${sql(tokens.map(tokenHash))}
      order by is_proved desc
      limit 1`;
    if (!row || user_id === undefined) return undefined;
    return `device:${user_id}:${row.is_proved ? row.token_hash.toString('hex') : 'reset'}`;
  },

  /** After a complete sign-in: returns the token that identifies this browser for the account. A browser keeps its existing token. */
  async remember(user_id: string, tokens: readonly string[]): Promise<string> {
    if (tokens.length === 0) return add(sql, user_id, true);
    const rows = await sql<{ token_hash: Buffer }[]>`
      update device_tokens
      set used_at = now(), is_proved = true
      where user_id = ${user_id}
        and token_hash in ${sql(tokens.map(tokenHash))}
      returning token_hash`;
    const known = tokens.find((token) => rows.some(({ token_hash }) => token_hash.equals(tokenHash(token))));
    return known ?? add(sql, user_id, true);
  },

  /** After a password reset by a mailed link: forgets all browsers except this one, which gets the returned token. */
  async startAnew(user_id: string, tx: Tx): Promise<string> {
    await tx`delete from device_tokens where user_id = ${user_id}`;
    return add(tx, user_id, false);
  },

  /** After a change of the password: a person who knew the old password may have a known browser. */
  forgetOthers: (user_id: string, tokens: readonly string[], tx: Tx) => tx`
    delete from device_tokens
    where user_id = ${user_id}
    ${tokens.length === 0 ? tx`` : tx`and token_hash not in ${tx(tokens.map(tokenHash))}`}`,

  forgetOld: () =>
    removeInBatches(
      (rows) => sql`
        delete from device_tokens
        where ctid = any(array(
          select ctid
          from device_tokens
          where used_at < now() - interval '1 year'
          limit ${rows}
        ))`,
    ),
});

async function add(tx: Tx, user_id: string, is_proved: boolean): Promise<string> {
  const token = newLinkToken();
  await tx`
    insert into device_tokens (user_id, token_hash, is_proved)
    values (${user_id}, ${tokenHash(token)}, ${is_proved})`;
  await tx`
    delete from device_tokens
    where user_id = ${user_id}
      and token_hash in (
        select token_hash
        from device_tokens
        where user_id = ${user_id}
        order by used_at > created_at desc, used_at desc, token_hash
        offset ${maxDevices}
      )`;
  return token;
}
