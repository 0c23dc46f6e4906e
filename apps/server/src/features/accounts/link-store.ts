import type { Sql, Tx } from '../../db/connect.ts';
import { removeInBatches } from '../../jobs/remove-in-batches.ts';
import { type LinkPurpose, mailedLinks } from '../../mail/links.ts';
import { newLinkToken, tokenHash } from './tokens.ts';

export interface LinkOwner {
  user_id: string;
  /** The address that the link was sent to. */
  email: string;
  name: string;
}

interface UsedLink {
  user_id: string;
  email: string;
  /** The session that requested the link, if that matters. */
  session_id: string | null;
}
export type LinkStore = ReturnType<typeof linkStore>;

/** All SQL about links that were mailed. Tokens are stored hashed. */
export const linkStore = (sql: Sql) => ({
  /** Creates a link for this person; an earlier link of the same purpose becomes void. Returns the token, which is not stored. */
  async make(
    purpose: LinkPurpose,
    { user_id, email, session_id }: { user_id: string; email: string; session_id?: string },
    within: Tx = sql,
  ): Promise<string> {
    const token = newLinkToken();
    await within`
      insert into mailed_links (token_hash, purpose, user_id, email, session_id, expires_at)
      values (${tokenHash(token)}, ${purpose}, ${user_id}, ${email}, ${session_id ?? null},
        now() + ${`${mailedLinks[purpose].lifetimeSeconds} seconds`}::interval)
      on conflict (user_id, purpose) do update
      set token_hash = excluded.token_hash, email = excluded.email, session_id = excluded.session_id,
        created_at = now(), expires_at = excluded.expires_at`;
    return token;
  },

  /** The owner of a link that `use` would find now: for work that is done before the transaction, like hashing. */
  async find(purpose: LinkPurpose, token: string): Promise<LinkOwner | undefined> {
    const [row] = await sql<LinkOwner[]>`
      select l.user_id, l.email, u.name
      from mailed_links l
      join users u on u.id = l.user_id
      where l.token_hash = ${tokenHash(token)}
        and l.purpose = ${purpose}
        and l.expires_at > now()`;
    return row;
  },

  /** Consumes the link, and returns its owner and the address that it proves. Only one of several concurrent uses succeeds. */
  async use(purpose: LinkPurpose, token: string, within: Tx): Promise<UsedLink | undefined> {
    const [row] = await within<UsedLink[]>`
      delete from mailed_links link
      where token_hash = ${tokenHash(token)}
        and purpose = ${purpose}
        and expires_at > now()
      returning user_id, email, session_id`;
    return row;
  },

  /** Voids all links of a person, e.g. once their address changed. */
  voidAll: (user_id: string, within: Tx = sql) => within`delete from mailed_links where user_id = ${user_id}`,

  /** After a new password: voids resets, and changes of address that other sessions began. Either could be used to take over the account again. */
  voidOfOthers: (user_id: string, session_id: string, within: Tx) => within`
    delete from mailed_links
    where user_id = ${user_id}
      and (purpose = 'reset-password' or (purpose = 'confirm-new-email' and session_id is distinct from ${session_id}))`,

  removeExpired: () =>
    removeInBatches(
      (rows) => sql`
        delete from mailed_links
        where ctid = any(array(
          select ctid
          from mailed_links
          where expires_at < now()
          limit ${rows}
        ))`,
    ),
});
