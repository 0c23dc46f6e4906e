import { isSameAddress, normalAddress, type User } from '@paddock/contract';
import { recordAction } from '../../audit/record-action.ts';
import type { Sql, Tx } from '../../db/connect.ts';
import { accountAt } from './addresses.ts';

export type AccountStore = ReturnType<typeof accountStore>;

export interface NewUser {
  id: string;
  team_id: string;
  email: string;
  name: string;
}

/** All SQL about people and their teams. */
export const accountStore = (sql: Sql) => ({
  /** Creates the person, the personal team and the membership. Does nothing, and returns false, when the address has an account. */
  async create(user: NewUser & { password_hash: string | null }, tx: Tx): Promise<boolean> {
    const [made] = await tx<{ id: string }[]>`
      insert into users (id, email, email_key, keyed_email, name, password_hash)
      values (${user.id}, ${user.email}, ${normalAddress(user.email)}, ${user.email}, ${user.name},
        ${user.password_hash})
      on conflict do nothing
      returning id`;
    if (!made) return false;
    await tx`insert into teams (id, name) values (${user.team_id}, ${user.name})`;
    await tx`insert into team_members (team_id, user_id) values (${user.team_id}, ${user.id})`;
    await recordAction(tx, user.id, { by: user.id, action: 'account.create' });
    return true;
  },

  byEmail: (email: string, within: Tx = sql): Promise<User | undefined> => accountAt<User>(within, email, moreColumns),

  /** The account with this e-mail address, in any spelling, and its stored hash. */
  credentials: (email: string) => accountAt<{ id: string; password_hash: string | null }>(sql, email, 'password_hash'),

  setPasswordHash: (user_id: string, password_hash: string) => sql`
    update users
    set password_hash = ${password_hash}
    where id = ${user_id}`,

  /** Sets the password for the person who proved the address. Undefined when the account's address has changed. */
  async resetPassword({ user_id, email, password_hash }: { user_id: string; email: string; password_hash: string }, tx: Tx) {
    const [account] = await tx<{ name: string; email: string; was_verified: boolean }[]>`
      select name, email, email_verified as was_verified
      from users
      where id = ${user_id}
      for update`;
    if (!account || !isSameAddress(account.email, email)) return undefined;
    await recordAction(tx, user_id, { by: user_id });
    await tx`
      update users
      set password_hash = ${password_hash}, email_verified = true
      where id = ${user_id}`;
    return account;
  },

  /** Marks the address as verified, and returns the account's spelling of it. Undefined when the account's address has changed. */
  async verifyEmail({ user_id, email }: { user_id: string; email: string }, tx: Tx): Promise<string | undefined> {
    const [row] = await tx<{ email: string }[]>`
      select email
      from users
      where id = ${user_id}
      for update`;
    if (!row || !isSameAddress(row.email, email)) return undefined;
    await tx`
      update users
      set email_verified = true
      where id = ${user_id}`;
    await recordAction(tx, user_id, { by: user_id });
    return row.email;
  },

  async user(user_id: string): Promise<User | undefined> {
    const [row] = await sql<User[]>`
      select ${userColumns(sql)}
      from users
      where id = ${user_id}`;
    return row;
  },
});

/** The plan in force; free without a subscription. */
const plan = `coalesce(
  (
    select b.plan
    from team_members m
    join billing_accounts b on b.team_id = m.team_id
    where m.user_id = users.id
    order by m.team_id
    limit 1
  ),
  'free'
) as plan`;
const moreColumns = `name, ${plan}, email_verified`;
/** The columns of a `User`. */
export const userColumns = (sql: Pick<Sql, 'unsafe'>) => sql.unsafe(`id, email, ${moreColumns}`);
