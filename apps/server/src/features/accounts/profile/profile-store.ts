import { ApiError, normalAddress, type Profile } from '@paddock/contract';
import { setSubject } from '../../../audit/call.ts';
import { recordAction } from '../../../audit/record-action.ts';
import type { Sql, Tx } from '../../../db/connect.ts';
import { removeInBatches } from '../../../jobs/remove-in-batches.ts';
import { isAddressTaken } from '../addresses.ts';
import type { LinkStore } from '../link-store.ts';
import { endOtherSessions } from './own-session-store.ts';

export type ProfileStore = ReturnType<typeof profileStore>;

export interface Account {
  email: string;
  name: string;
  password_hash: string | null;
}

/** `before` is the previous address, and whether it was verified. */
interface ChangedEmail {
  name: string;
  before: string;
  was_verified: boolean;
  email: string;
}

/** All SQL for changes of a person's own account. `also` runs in the same transaction, e.g. for a mail about the change. */
export const profileStore = (sql: Sql, links: LinkStore) => ({
  async account(user_id: string): Promise<Account | undefined> {
    const [row] = await sql<Account[]>`
      select email, name, password_hash
      from users
      where id = ${user_id}`;
    return row;
  },

  profile: (user_id: string) => readProfile(sql, user_id),

  rename: (user_id: string, name: string) =>
    sql.begin(async (tx) => {
      await tx`
        update users
        set name = ${name}
        where id = ${user_id}`;
      await recordAction(tx, user_id);
    }),

  /** Sets a new password, and ends sessions and links created with the old one. False when the password was changed meanwhile. */
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
      await recordAction(tx, user_id);
      await endOtherSessions(tx, user_id, keep);
      await links.voidOfOthers(user_id, keep, tx);
      await also(tx);
      return true;
    }),

  /** Creates a link for the new address and passes its token to `send`. An earlier link becomes void. */
  askEmail: (change: { user_id: string; session_id: string; email: string }, send: (tx: Tx, token: string) => Promise<void>) =>
    sql.begin(async (tx) => {
      const token = await links.make('confirm-new-email', change, tx);
      await send(tx, token);
      await recordAction(tx, change.user_id);
    }),

  /** Consumes the link. False when the link is unknown, used or too old. Throws email_taken, after which the link still works. */
  confirmEmail: (token: string, also: (tx: Tx, changed: ChangedEmail) => Promise<void>) =>
    sql
      .begin(async (tx) => {
        const asked = await links.use('confirm-new-email', token, tx);
        if (!asked) return false;
        const { user_id, email, session_id } = asked;
        setSubject(user_id);
        const [account] = await tx<{ name: string; before: string; was_verified: boolean }[]>`
          select name, email as before, email_verified as was_verified
          from users
          where id = ${user_id}
          for update`;
        if (!account) return false;
        await tx`
          update users
          set email = ${email}, email_key = ${normalAddress(email)}, keyed_email = ${email}, email_verified = true
          where id = ${user_id}`;
        await recordAction(tx, user_id, { by: user_id });
        // Links that were mailed to the old address prove nothing any more.
        await links.voidAll(user_id, tx);
        await endOtherSessions(tx, user_id, session_id ?? '');
        await also(tx, { email, ...account });
        return true;
      })
      .catch((error: unknown) => {
        if (isAddressTaken(error)) throw new ApiError('email_taken', { cause: error });
        throw error;
      }),

  /** Deletes devices after a year: they count as new again. */
  forgetOldDevices: () =>
    removeInBatches(
      (rows) => sql`
        delete from known_devices
        where ctid = any(array(
          select ctid
          from known_devices
          where seen_at < now() - interval '1 year'
          limit ${rows}
        ))`,
    ),
});

async function readProfile(sql: Sql, user_id: string): Promise<Pick<Profile, 'has_password' | 'second_factor' | 'pending_email'>> {
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
}
