import { isSameAddress, normalAddress, type User } from '@paddock/contract';
import { isDiskFull, type Sql, type Tx } from '../../db/connect.ts';
import type { Person, UsedFrom } from '../../http/authenticate.ts';
import { accountAt } from './addresses.ts';

export type AccountStore = ReturnType<typeof accountStore>;

export interface NewUser {
  id: string;
  team_id: string;
  email: string;
  name: string;
}

export interface NewSession {
  id: string;
  token_hash: Buffer;
  user_id: string;
  lifetime_s: number;
  ip: string;
  user_agent: string;
  device: string;
  network: string;
  /** The hash that the password was checked against, if a password it was: one that was changed meanwhile opens nothing. */
  password_hash?: string | undefined;
}

/** All SQL about people, teams and sessions. */
export const accountStore = (sql: Sql) => ({
  /** The person, the personal team and the membership. False, and nothing is done, when the address has an account. */
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
    return true;
  },

  byEmail: (email: string, within: Tx = sql): Promise<User | undefined> => accountAt<User>(within, email, moreColumns),

  /** The account with this e-mail address, in whatever spelling, and its stored hash. */
  credentials: (email: string) => accountAt<{ id: string; password_hash: string | null }>(sql, email, 'password_hash'),

  setPasswordHash: (user_id: string, password_hash: string) => sql`
    update users
    set password_hash = ${password_hash}
    where id = ${user_id}`,

  /** Whoever proved the address sets the password. Undefined when it is no longer the account's address. */
  async resetPassword({ user_id, email, password_hash }: { user_id: string; email: string; password_hash: string }, tx: Tx) {
    const [account] = await tx<{ name: string; email: string; was_verified: boolean }[]>`
      select name, email, email_verified as was_verified
      from users
      where id = ${user_id}
      for update`;
    if (!account || !isSameAddress(account.email, email)) return undefined;
    await tx`
      update users
      set password_hash = ${password_hash}, email_verified = true
      where id = ${user_id}`;
    return account;
  },

  /** The address as the account has it; undefined when it has another one by now. */
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
    return row.email;
  },

  async user(user_id: string): Promise<User | undefined> {
    const [row] = await sql<User[]>`
      select ${userColumns(sql)}
      from users
      where id = ${user_id}`;
    return row;
  },

  /** The person, or nothing when the account or the password is gone. `onNewDevice` runs when others were used before, and not this one. */
  openSession: (session: NewSession, onNewDevice: (tx: Tx, user: User) => Promise<void>): Promise<User | undefined> =>
    sql.begin(async (tx) => {
      const { user_id, device, network } = session;
      // Locked, so that whoever changes the password either ends this session with the others, or is seen here.
      const [user] = await tx<User[]>`
        select ${userColumns(sql)}
        from users
        where id = ${user_id}
          ${session.password_hash === undefined ? tx`` : tx`and password_hash = ${session.password_hash}`}
        for share`;
      if (!user) return undefined;
      await tx`
        insert into sessions (id, token_hash, user_id, team_id, expires_at, ip, user_agent)
        select ${session.id}, ${session.token_hash}, ${user_id}, team_id,
          now() + make_interval(secs => ${session.lifetime_s}), ${session.ip}, ${session.user_agent}
        from team_members
        where user_id = ${user_id}
        order by team_id
        limit 1`;
      const [before] = await tx<[{ any: boolean; this: boolean }]>`
        select count(*) > 0 as any, coalesce(bool_or(device = ${device} and network = ${network}), false) as this
        from known_devices
        where user_id = ${user_id}`;
      await tx`
        insert into known_devices (user_id, device, network)
        values (${user_id}, ${device}, ${network})
        on conflict (user_id, device, network) do update
        set seen_at = now()`;
      if (before.any && !before.this) await onNewDevice(tx, user);
      return user;
    }),

  /** The live session of a token; notes its use, and from where, at most once a minute. */
  async session(token_hash: Buffer, from: UsedFrom): Promise<Person | undefined> {
    const [row] = await sql<(Person & { stale: boolean })[]>`
      select s.id as session_id, null as key_id, s.user_id, s.team_id, u.name, u.email,
        s.last_used_at < now() - interval '1 minute' as stale
      from sessions s
      join users u on u.id = s.user_id
      where s.token_hash = ${token_hash}
        and s.expires_at > now()`;
    if (!row) return undefined;
    const { stale, ...actor } = row;
    if (stale)
      await sql`
        update sessions
        set last_used_at = now(), ip = ${from.ip}, user_agent = ${from.user_agent}
        where id = ${actor.session_id}`.catch(unlessDiskFull);
    return actor;
  },

  closeSession: (session_id: string) => sql`delete from sessions where id = ${session_id}`,
  closeSessionsOf: (user_id: string, within: Tx = sql) => within`delete from sessions where user_id = ${user_id}`,
  removeExpiredSessions: () => sql`delete from sessions where expires_at < now()`,
});

/** When and where a session was used last is not worth refusing to read anything. */
function unlessDiskFull(error: unknown) {
  if (!isDiskFull(error)) throw error;
}

// Nobody has a subscription yet, and none means the free plan, which has the starter's label and limits.
const moreColumns = `name, 'starter' as plan, email_verified`;
const userColumns = (sql: Pick<Sql, 'unsafe'>) => sql.unsafe(`id, email, ${moreColumns}`);
