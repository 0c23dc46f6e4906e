import { ApiError, accounts, normalAddress } from '@paddock/contract';
import { networkOf } from '@paddock/network';
import type { Limit, RateLimit } from '../../http/rate-limit.ts';
import { type Caller, serve } from '../../http/serve.ts';
import type { DeviceTokens } from './device-tokens.ts';
import { refusePassword } from './password-refusal.ts';
import type { Passwords } from './passwords.ts';
import type { recoveryHandlers } from './recovery/recovery-routes.ts';
import type { OpenSession } from './sessions.ts';
import type { signUp } from './sign-up.ts';
import type { AccountStore } from './store.ts';
import type { SecondFactor } from './two-factor/two-factor.ts';

export interface AttemptLimits {
  /** Failed sign-ins of one account, of one address, and of everybody, within 15 minutes; sign-ups of one address within an hour. */
  account: number;
  address: number;
  everybody: number;
  signups: number;
  /** Within an hour: mails that strangers or the owner may cause to one account; requests for a link from one address, and from everybody. */
  mails: number;
  link_requests: number;
  link_requests_of_all: number;
  /** Uses of mailed links from one address within 15 minutes. */
  links: number;
}
export const attemptLimits: AttemptLimits = {
  account: 10,
  address: 50,
  everybody: 1000,
  signups: 30,
  mails: 5,
  link_requests: 20,
  link_requests_of_all: 1000,
  links: 50,
};

export interface AccountParts {
  store: AccountStore;
  passwords: Passwords;
  openSession: OpenSession;
  secondFactor: Pick<SecondFactor, 'demand'>;
  signUp: ReturnType<typeof signUp>;
  recovery: ReturnType<typeof recoveryHandlers>;
  devices: DeviceTokens;
  limit: RateLimit;
  most: AttemptLimits;
}

export const accountRoutes = ({ store, passwords, openSession, secondFactor, signUp, recovery, devices, limit, most }: AccountParts) => {
  return serve(accounts, {
    async signup({ email, password, name }, { newId, ip }) {
      await refusePassword(password, { email, name });
      await limit.take([
        { key: `signup:address:${networkOf(ip)}`, most: most.signups, window_s: 3600 },
        // Each one mails somebody.
        { key: `signup:account:${normalAddress(email)}`, most: most.mails, window_s: 3600 },
      ]);
      const password_hash = await passwords.hash(password);
      return { user: await signUp({ id: newId('usr'), team_id: newId('team'), email, name, password_hash }) };
    },

    async login({ email, password, code, remember }, caller) {
      const found = await store.credentials(email);
      const counters = await guessCounters(email, found?.id, caller);
      await limit.take(counters);
      const right = await passwords.verify(found?.password_hash ?? undefined, password);
      if (!found || !right) throw new ApiError('credentials_wrong');
      // Only now: whether there is a second factor is told to nobody who has not the first.
      await secondFactor.demand(found.id, code, caller);
      let { password_hash } = found;
      if (password_hash && passwords.isWeak(password_hash)) {
        password_hash = await passwords.hash(password);
        await store.setPasswordHash(found.id, password_hash);
      }
      const session = await openSession(found.id, remember, caller, { password_hash: password_hash ?? undefined });
      await limit.forget(counters[0].key);
      return session;
    },

    async logout(_, { actor }) {
      await store.closeSession(actor.session_id);
      return null;
    },

    async me(_, { actor }) {
      const user = await store.user(actor.user_id);
      if (!user) throw new ApiError('not_signed_in');
      return user;
    },

    ...recovery,
  });

  /**
   * What a wrong password counts against. A browser that the account was signed in with before has a counter of its own, which no stranger's guesses
   * reach: neither those for the account, nor those of many for everybody. The first is the one that a success ends.
   */
  async function guessCounters(email: string, user_id: string | undefined, { ip, devices: tokens }: Caller): Promise<[Limit, ...Limit[]]> {
    const known = await devices.knownAs(user_id, tokens);
    if (known !== undefined) return [{ key: `login:${known}`, most: most.account, window_s: 900 }];
    return [
      { key: `login:account:${normalAddress(email)}`, most: most.account, window_s: 900 },
      { key: `login:address:${networkOf(ip)}`, most: most.address, window_s: 900 },
      { key: 'login:everybody', most: most.everybody, window_s: 900 },
    ];
  }
};
