import { isSameAddress } from '@paddock/contract';
import { toNetworkKey } from '@paddock/network';
import type { Tx } from '../../db/connect.ts';
import type { RateLimit } from '../../http/rate-limit.ts';
import type { SendMail } from '../../mail/mails.ts';
import { accountAt } from './addresses.ts';
import type { LinkStore } from './link-store.ts';
import type { AccountStore, NewUser } from './store.ts';

/** The facts of an account that decide who may sign in to it. */
export interface LockedAccount {
  id: string;
  email: string;
  name: string;
  email_verified: boolean;
  has_password: boolean;
}

const columns = (tx: Tx) => tx.unsafe('id, email, name, email_verified, password_hash is not null as has_password');
async function lock(tx: Tx, user_id: string): Promise<LockedAccount | undefined> {
  const [row] = await tx<LockedAccount[]>`
    select ${columns(tx)}
    from users
    where id = ${user_id}
    for update`;
  return row;
}

interface Deps {
  store: AccountStore;
  links: LinkStore;
  sendMail: SendMail;
  limit: RateLimit;
  maxSignups: number;
}

/** Account functions for sign-ins through a provider, within its transaction. */
export const providerAccounts = ({ store, links, sendMail, limit, maxSignups }: Deps) => ({
  /** Counts a new account against the sign-up limit. */
  countSignup: (ip: string) => limit.take([{ key: `signup:address:${toNetworkKey(ip)}`, max: maxSignups, windowSeconds: 3600 }]),

  /**
   * Creates an account without a password. Mails a verification link unless the provider has verified the address. False when the address has an
   * account.
   */
  async create(tx: Tx, { email_verified, ...user }: NewUser & { email_verified: boolean }): Promise<boolean> {
    if (!(await store.create({ ...user, password_hash: null }, tx))) return false;
    if (email_verified)
      await tx`
        update users
        set email_verified = true
        where id = ${user.id}`;
    else {
      const token = await links.make('verify-email', { user_id: user.id, email: user.email }, tx);
      await sendMail('verify-email', { to: user.email, data: { name: user.name, token } }, tx);
    }
    return true;
  },

  lock,

  /** The account of an e-mail address, in any spelling, locked until the transaction ends. */
  async lockAccount(tx: Tx, email: string): Promise<LockedAccount | undefined> {
    const found = await accountAt<{ id: string }>(tx, email, 'name');
    const locked = found && (await lock(tx, found.id));
    // The account's address may have changed before it was locked.
    return locked && isSameAddress(locked.email, email) ? locked : undefined;
  },
});
