import { ApiError, accounts, normalAddress } from '@paddock/contract';
import { toNetworkKey } from '@paddock/network';
import { setSubject } from '../../audit/call.ts';
import type { RateLimit } from '../../http/rate-limit.ts';
import { serve } from '../../http/serve.ts';
import type { AttemptLimits } from './attempt-limits.ts';
import type { DeviceTokens } from './device-tokens.ts';
import { guessCounters } from './guess-counters.ts';
import { refusePassword } from './password-refusal.ts';
import type { Passwords } from './passwords.ts';
import type { recoveryHandlers } from './recovery/recovery-routes.ts';
import type { SessionStore } from './session-store.ts';
import type { OpenSession } from './sessions.ts';
import type { signUp } from './sign-up.ts';
import type { AccountStore } from './store.ts';
import type { SecondFactor } from './two-factor/two-factor.ts';

export interface AccountParts {
  store: AccountStore;
  sessions: Pick<SessionStore, 'close'>;
  passwords: Passwords;
  openSession: OpenSession;
  secondFactor: Pick<SecondFactor, 'demand'>;
  signUp: ReturnType<typeof signUp>;
  recovery: ReturnType<typeof recoveryHandlers>;
  devices: DeviceTokens;
  limit: RateLimit;
  maxAttempts: AttemptLimits;
  lockSeconds: number;
}

export const accountRoutes = ({
  store,
  sessions,
  passwords,
  openSession,
  secondFactor,
  signUp,
  recovery,
  devices,
  limit,
  maxAttempts,
  lockSeconds,
}: AccountParts) => {
  const counted = guessCounters({ devices, maxAttempts, lockSeconds });
  return serve(accounts, {
    async signup({ email, password, name }, { newId, ip }) {
      await refusePassword(password, { email, name });
      await limit.take([
        { key: `signup:address:${toNetworkKey(ip)}`, max: maxAttempts.signups, windowSeconds: 3600 },
        // Each sign-up sends a mail.
        { key: `signup:account:${normalAddress(email)}`, max: maxAttempts.mails, windowSeconds: 3600 },
      ]);
      const password_hash = await passwords.hash(password);
      return { user: await signUp({ id: newId('usr'), team_id: newId('team'), email, name, password_hash }) };
    },

    async login({ email, password, code, remember }, caller) {
      const found = await store.credentials(email);
      setSubject(found?.id);
      const counters = await counted(email, found?.id, caller);
      await limit.take(counters);
      const right = await passwords.verify(found?.password_hash ?? undefined, password);
      if (!found || !right) throw new ApiError('credentials_wrong');
      // Checked last: a caller without the right password does not learn whether the account has a second factor.
      await secondFactor.demand(found.id, code, caller);
      let { password_hash } = found;
      if (password_hash && passwords.isWeak(password_hash)) {
        password_hash = await passwords.hash(password);
        await store.setPasswordHash(found.id, password_hash);
      }
      const session = await openSession(found.id, caller, { remember, password_hash: password_hash ?? undefined });
      await limit.forget(counters[0].key);
      return session;
    },

    async logout(_, { actor }) {
      await sessions.close(actor.session_id);
      return null;
    },

    async me(_, { actor }) {
      const user = await store.user(actor.user_id);
      if (!user) throw new ApiError('not_signed_in');
      return user;
    },

    ...recovery,
  });
};
