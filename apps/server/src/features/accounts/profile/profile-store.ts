import { ApiError, normalAddress, type Profile } from '@paddock/contract';
import type { Sql, Tx } from '../../../db/connect.ts';
import { removeKeysOf } from '../../../http/idempotency.ts';
import { isAddressTaken } from '../addresses.ts';
import type { LinkStore } from '../link-store.ts';

export type ProfileStore = ReturnType<typeof profileStore>;

export interface Account {
  email: string;
  name: string;
  password_hash: string | null;
}
interface SessionRow {
  id: string;
  created_at: string;
  last_used_at: string;
  expires_at: string;
  ip: string;
  user_agent: string;
}
/** More than anybody signs in from; older ones are still ended by 'end all others'. */
const sessionsShown = 200;

/** All SQL of what people change about their own account. `also` runs in the same transaction, as for a mail about the change. */
export const profileStore = (sql: Sql, links: LinkStore) => ({
  async account(user_id: string): Promise<Account | undefined> {
    const [row] = await sql<Account[]>`
      select email, name, password_hash
      from users
      where id = ${user_id}`;
    return row;
  },

  async isFresh(session_id: string): Promise<boolean> {
    const rows = await sql`
      select 1
      from sessions
      where id = ${session_id}
        and created_at > now() - interval '10 minutes'`;
    return rows.length > 0;
  },

  async profile(user_id: string): Promise<Pick<Profile, 'has_password' | 'second_factor' | 'pending_email'>> {
    const [row] = await sql<{ has_password: boolean; is_on: boolean; recovery_codes_left: number; pending_email: string | null }[]>`
      select u.password_hash is not null as has_password,
        exists (
          select 1
          from second_factors
          where user_id = u.id
            and is_confirmed
        ) as is_on,
        (
          select count(*)
          from recovery_codes
          where user_id = u.id
        )::int as recovery_codes_left,
        (
          select email
          from mailed_links
          where user_id = u.id
            and purpose = 'confirm-new-email'
            and expires_at > now()
        ) as pending_email
      from users u
      where u.id = ${user_id}`;
    if (!row) throw new ApiError('not_signed_in');
    const { has_password, is_on, recovery_codes_left, pending_email } = row;
    return { has_password, second_factor: { is_on, recovery_codes_left }, pending_email };
  },

  rename: (user_id: string, name: string) => sql`
    update users
    set name = ${name}
    where id = ${user_id}`,

  /** False when the password was changed meanwhile. Ends what others could have begun with the one before. */
  setPassword: (change: { user_id: string; before: string | null; password_hash: string; keep: string }, also: (tx: Tx) => Promise<void>) =>
    sql.begin(async (tx) => {
      const { user_id, before, password_hash, keep } = change;
      const rows = await tx`
        update users
        set password_hash = ${password_hash}
        where id = ${user_id}
          and password_hash is not distinct from ${before}
        returning 1`;
      if (!rows.length) return false;
      await endOthers(tx, user_id, keep);
      await links.voidOfOthers(user_id, keep, tx);
      await also(tx);
      return true;
    }),

  /** A link to the new address; the one before is void. Its token goes to `send`. */
  askEmail: (change: { user_id: string; session_id: string; email: string }, send: (tx: Tx, token: string) => Promise<void>) =>
    sql.begin(async (tx) => {
      const token = await links.make('confirm-new-email', change, tx);
      await send(tx, token);
    }),

  /** Uses the link up. False when it is unknown, used or too old; throws email_taken, and then it may be tried again. */
  confirmEmail: (token: string, also: (tx: Tx, changed: { name: string; before: string; email: string }) => Promise<void>) =>
    sql
      .begin(async (tx) => {
        const asked = await links.use('confirm-new-email', token, tx);
        if (!asked) return false;
        const { user_id, email, session_id } = asked;
        const [account] = await tx<{ name: string; before: string }[]>`
          select name, email as before
          from users
          where id = ${user_id}
          for update`;
        if (!account) return false;
        await tx`
          update users
          set email = ${email}, email_key = ${normalAddress(email)}, keyed_email = ${email}, email_verified = true
          where id = ${user_id}`;
        // Whatever was mailed to the address before proves nothing any more.
        await links.voidAll(user_id, tx);
        await endOthers(tx, user_id, session_id ?? '');
        await also(tx, { email, ...account });
        return true;
      })
      .catch((error: unknown) => {
        if (isAddressTaken(error)) throw new ApiError('email_taken', { cause: error });
        throw error;
      }),

  sessions: (user_id: string) => sql<SessionRow[]>`
    select id, created_at, last_used_at, expires_at, ip, user_agent
    from sessions
    where user_id = ${user_id}
      and expires_at > now()
    order by last_used_at desc, id desc
    limit ${sessionsShown}`,

  /** False when there is none of this person with that id. */
  async endSession(user_id: string, id: string): Promise<boolean> {
    const rows = await sql`
      delete from sessions
      where id = ${id}
        and user_id = ${user_id}
      returning 1`;
    return rows.length > 0;
  },

  endOtherSessions: (user_id: string, keep: string) => endOthers(sql, user_id, keep),

  /**
   * In one step: the person with sessions, keys and everything of their own is gone, and the projects of a team that nobody else belongs to
   * are marked. What remains of such a team is removed by `removeDeletedTeams`, which begins anew after a crash.
   */
  deleteAccount: (user_id: string, endProjects: (tx: Tx, team_id: string) => Promise<void>) =>
    sql.begin(async (tx) => {
      // Two members who leave at once wait for each other here, so that one of them is the last.
      await tx`
        select 1
        from team_members
        where team_id in (
          select team_id
          from team_members
          where user_id = ${user_id}
        )
        order by team_id, user_id
        for update`;
      const teams = await tx<{ team_id: string }[]>`
        select team_id
        from team_members m
        where user_id = ${user_id}
          and not exists (
            select 1
            from team_members o
            where o.team_id = m.team_id
              and o.user_id <> ${user_id}
          )
        order by team_id`;
      // Projects first: whoever changes one holds its row and then its team's.
      for (const { team_id } of teams) {
        await endProjects(tx, team_id);
        await tx`
          update teams
          set deleting_at = now()
          where id = ${team_id}`;
      }
      await tx`delete from users where id = ${user_id}`;
    }),

  deletingTeams: () => sql<{ id: string }[]>`
    select id
    from teams
    where deleting_at is not null
    order by deleting_at
    limit 20`,

  /** Does nothing while a project is left. */
  removeTeam: (team_id: string) =>
    sql.begin(async (tx) => {
      const gone = await tx`
        delete from teams t
        where id = ${team_id}
          and deleting_at is not null
          and not exists (
            select 1
            from projects
            where team_id = t.id
          )
        returning 1`;
      if (gone.length) await removeKeysOf(tx, team_id);
    }),

  /** After a year a device is as good as new. */
  forgetOldDevices: () => sql`delete from known_devices where seen_at < now() - interval '1 year'`,
});

const endOthers = (tx: Tx, user_id: string, keep: string) => tx`
  delete from sessions
  where user_id = ${user_id}
    and id <> ${keep}`;
