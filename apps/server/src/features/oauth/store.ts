import type { Identity, Provider } from '@paddock/contract';
import type { Sql, Tx } from '../../db/connect.ts';
import type { ProvedPerson } from './person.ts';

export type IdentityStore = ReturnType<typeof identityStore>;
type Key = Pick<ProvedPerson, 'provider' | 'issuer' | 'subject'>;

/** All SQL about identities: the provider accounts with which people may sign in. */
export const identityStore = (sql: Sql) => ({
  begin: <T>(work: (tx: Tx) => Promise<T>) => sql.begin(work),

  /** The person of an identity. Records its use. */
  async use(tx: Tx, { provider, issuer, subject }: Key): Promise<string | undefined> {
    const [row] = await tx<{ user_id: string }[]>`
      update identities
      set last_used_at = now()
      where provider = ${provider}
        and issuer = ${issuer}
        and subject = ${subject}
      returning user_id`;
    return row?.user_id;
  },

  /** Adds an identity. Undefined when it belongs to an account already, or when the account has another identity of this provider. */
  async add(tx: Tx, user_id: string, { provider, issuer, subject, email }: ProvedPerson): Promise<Identity | undefined> {
    const [row] = await tx<Identity[]>`
      insert into identities (provider, issuer, subject, user_id, email)
      values (${provider}, ${issuer}, ${subject}, ${user_id}, ${email})
      on conflict do nothing
      returning ${columns(tx)}`;
    return row;
  },

  async findOwner(tx: Tx, { provider, issuer, subject }: Key): Promise<string | undefined> {
    const [row] = await tx<{ user_id: string }[]>`
      select user_id
      from identities
      where provider = ${provider}
        and issuer = ${issuer}
        and subject = ${subject}`;
    return row?.user_id;
  },

  list: (user_id: string, within: Sql | Tx = sql) =>
    within<Identity[]>`
      select ${columns(within)}
      from identities
      where user_id = ${user_id}
      order by created_at, provider`,

  remove: (tx: Tx, user_id: string, provider: Provider) => tx`
    delete from identities
    where user_id = ${user_id}
      and provider = ${provider}`,

  /** Removes all identities of an account, e.g. after the first verification of its address: a stranger may have linked them. */
  removeAll: (user_id: string, tx: Tx) => tx`delete from identities where user_id = ${user_id}`,
});

const columns = (sql: Pick<Sql, 'unsafe'>) => sql.unsafe('provider, email, created_at, last_used_at');
