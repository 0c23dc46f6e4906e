import type { Sql, Tx } from '../../db/connect.ts';
import type { LinkPurpose } from '../../mail/links.ts';
import { newLinkToken, tokenHash } from './tokens.ts';

const hour = 3600;
/** Seconds that a link lives. */
export const linkLifetimes = {
  'verify-email': 72 * hour,
  'reset-password': hour,
  'confirm-new-email': 24 * hour,
} as const satisfies Record<LinkPurpose, number>;

export type LinkStore = ReturnType<typeof linkStore>;

/** All SQL about links that were mailed. Tokens are stored hashed. */
export const linkStore = (sql: Sql) => ({
  /** A new link for this person; one of the same purpose that they had is void from now on. Returns the token, which is told here alone. */
  async make(purpose: LinkPurpose, { user_id, email }: { user_id: string; email: string }, within: Tx = sql): Promise<string> {
    const token = newLinkToken();
    await within`
      insert into mailed_links (token_hash, purpose, user_id, email, expires_at)
      values (${tokenHash(token)}, ${purpose}, ${user_id}, ${email}, now() + ${`${linkLifetimes[purpose]} seconds`}::interval)
      on conflict (user_id, purpose) do update
      set token_hash = excluded.token_hash, email = excluded.email, created_at = now(), expires_at = excluded.expires_at`;
    return token;
  },

  /** Whether `use` would find it now. For work that is better done before the transaction, like hashing. */
  isLive: async (purpose: LinkPurpose, token: string) =>
    (await sql`select 1 from mailed_links where token_hash = ${tokenHash(token)} and purpose = ${purpose} and expires_at > now()`).length >
    0,

  /** Whose link it is, and the address that it proves. Of any number of parallel uses one finds it. */
  async use(purpose: LinkPurpose, token: string, within: Tx): Promise<{ user_id: string; email: string } | undefined> {
    const [row] = await within<{ user_id: string; email: string }[]>`
      delete from mailed_links where token_hash = ${tokenHash(token)} and purpose = ${purpose} and expires_at > now() returning user_id, email`;
    return row;
  },

  /** All links of a person, e.g. once their address changed. */
  voidAll: (user_id: string, within: Tx = sql) => within`delete from mailed_links where user_id = ${user_id}`,

  removeExpired: () => sql`delete from mailed_links where expires_at < now()`,
});
