import { ApiError } from '@paddock/contract';
import type { Person } from '../../../http/authenticate.ts';
import type { RateLimit } from '../../../http/rate-limit.ts';
import type { Passwords } from '../passwords.ts';
import type { Account, ProfileStore } from './profile-store.ts';

/** Wrong passwords of one session within 15 minutes: who found one open must not keep the owner's others from anything. */
const attemptsMost = 10;

export type Reauthenticate = ReturnType<typeof reauthentication>;

/**
 * Asks who is signed in for the password once more, so that an open browser alone is not enough. Accounts without a password need a
 * session that was opened within the last 10 minutes. Throws password_wrong (of the field `path`), sign_in_again, too_many_attempts.
 */
export const reauthentication =
  (store: ProfileStore, passwords: Passwords, limit: RateLimit) =>
  async ({ user_id, session_id }: Person, password: string | undefined, path = 'password'): Promise<Account> => {
    const account = await store.account(user_id);
    if (!account) throw new ApiError('not_signed_in');
    if (account.password_hash === null) {
      if (!(await store.isFresh(session_id))) throw new ApiError('sign_in_again');
      return account;
    }
    const key = `password:session:${session_id}`;
    await limit.take([{ key, most: attemptsMost, window_s: 900 }]);
    if (password === undefined || !(await passwords.verify(account.password_hash, password)))
      throw new ApiError('password_wrong', { errors: [{ path, message: 'The current password is wrong.' }] });
    await limit.forget(key);
    return account;
  };
