import { ApiError } from '@paddock/contract';
import type { Person } from '../../../http/authenticate.ts';
import type { RateLimit } from '../../../http/rate-limit.ts';
import type { Passwords } from '../passwords.ts';
import type { OwnSessionStore } from './own-session-store.ts';
import type { Account, ProfileStore } from './profile-store.ts';

/** Wrong passwords of one session within 15 minutes, counted per session: a stranger at an open browser does not lock the owner out elsewhere. */
const maxAttempts = 10;

interface Deps {
  store: Pick<ProfileStore, 'account'>;
  sessions: Pick<OwnSessionStore, 'isFresh'>;
  passwords: Passwords;
  limit: RateLimit;
}

export type Reauthenticate = ReturnType<typeof reauthentication>;

/**
 * Requires the person's password again, so that an open browser alone is not enough. Accounts without a password need a session that was
 * opened within the last 10 minutes. Throws password_wrong (for the field `path`), sign_in_again or too_many_attempts.
 */
export const reauthentication =
  ({ store, sessions, passwords, limit }: Deps) =>
  async ({ user_id, session_id }: Person, password: string | undefined, path = 'password'): Promise<Account> => {
    const account = await store.account(user_id);
    if (!account) throw new ApiError('not_signed_in');
    if (account.password_hash === null) {
      if (!(await sessions.isFresh(session_id))) throw new ApiError('sign_in_again');
      return account;
    }
    const key = `password:session:${session_id}`;
    await limit.take([{ key, max: maxAttempts, windowSeconds: 900 }]);
    if (password === undefined || !(await passwords.verify(account.password_hash, password)))
      throw new ApiError('password_wrong', { errors: [{ path, message: 'The current password is wrong.' }] });
    await limit.forget(key);
    return account;
  };
