import { ApiError, isSameAddress, profile } from '@paddock/contract';
import { toNetworkKey } from '@paddock/network';
import type { Person } from '../../../http/authenticate.ts';
import type { RateLimit } from '../../../http/rate-limit.ts';
import { type Caller, serve } from '../../../http/serve.ts';
import type { Origin, SendMail } from '../../../mail/mails.ts';
import type { AttemptLimits } from '../attempt-limits.ts';
import type { DeviceTokens } from '../device-tokens.ts';
import { describeDevice } from '../devices.ts';
import { refusePassword } from '../password-refusal.ts';
import type { Passwords } from '../passwords.ts';
import type { AccountStore } from '../store.ts';
import type { DeletionStore, Endings } from './deletion-store.ts';
import type { OwnSessionStore, SessionRow } from './own-session-store.ts';
import type { ProfileStore } from './profile-store.ts';
import type { Reauthenticate } from './reauthenticate.ts';

interface Deps extends Endings {
  store: ProfileStore;
  deletions: Pick<DeletionStore, 'deleteAccount'>;
  sessions: OwnSessionStore;
  accounts: Pick<AccountStore, 'user'>;
  passwords: Passwords;
  reauthenticate: Reauthenticate;
  devices: DeviceTokens;
  sendMail: SendMail;
  limit: RateLimit;
  maxAttempts: Pick<AttemptLimits, 'mails' | 'links'>;
}

export const profileRoutes = ({
  store,
  deletions,
  sessions,
  accounts,
  passwords,
  reauthenticate,
  devices,
  sendMail,
  limit,
  maxAttempts,
  endProjects,
  endBilling,
}: Deps) => {
  return serve(profile, {
    get: async (_, { actor }) => ({ ...(await mustFind(actor.user_id)), ...(await store.profile(actor.user_id)) }),

    async update({ name }, { actor }) {
      await store.rename(actor.user_id, name);
      return mustFind(actor.user_id);
    },

    async changePassword({ current_password, new_password }, { actor, ...caller }) {
      const { password_hash: before, email, name } = await reauthenticate(actor, current_password, 'current_password');
      await refusePassword(new_password, { email, name }, 'new_password');
      const change = { user_id: actor.user_id, before, password_hash: await passwords.hash(new_password), keep: actor.session_id };
      const done = await store.setPassword(change, async (tx) => {
        await devices.forgetOthers(actor.user_id, caller.devices, tx);
        await sendMail('password-changed', { to: email, data: { name, ...originOf(caller) } }, tx);
      });
      if (!done) throw new ApiError('password_wrong', { errors: [{ path: 'current_password', message: 'It was changed this moment.' }] });
      return null;
    },

    // The response is the same for an address that has an account: only a mail to that address mentions it.
    async changeEmail({ email, password }, { actor }) {
      const { name } = await reauthenticate(actor, password);
      // The mails go to people who may not have made the request.
      await limit.take([{ key: `new-email:account:${actor.user_id}`, max: maxAttempts.mails, windowSeconds: 3600 }]);
      const { user_id, session_id } = actor;
      await store.askEmail({ user_id, session_id, email }, (tx, token) =>
        sendMail('confirm-new-email', { to: email, data: { name, token } }, tx),
      );
      return null;
    },

    async confirmEmail({ token }, caller) {
      await limit.take([{ key: `link:address:${toNetworkKey(caller.ip)}`, max: maxAttempts.links, windowSeconds: 900 }]);
      const done = await store.confirmEmail(token, (tx, { name, before, was_verified, email }) =>
        sendMail('email-changed', { to: before, data: { name, new_email: email, is_verified: was_verified, ...originOf(caller) } }, tx),
      );
      if (!done) throw new ApiError('link_invalid');
      return null;
    },

    async sessions(_, { actor }) {
      const rows = await sessions.list(actor.user_id);
      return { sessions: rows.map((row) => shownSession(row, actor)) };
    },

    async session({ id }, { actor }) {
      const row = await sessions.get(actor.user_id, id);
      if (!row) throw new ApiError('session_not_found');
      return shownSession(row, actor);
    },

    async endSession({ id }, { actor }) {
      if (!(await sessions.end(actor.user_id, id))) throw new ApiError('session_not_found');
      return null;
    },

    async endOtherSessions(_, { actor }) {
      await sessions.endOthers(actor.user_id, actor.session_id);
      return null;
    },

    async deleteAccount({ password, confirmation }, { actor }) {
      const { email } = await reauthenticate(actor, password);
      if (!isSameAddress(confirmation, email))
        throw new ApiError('input_invalid', { errors: [{ path: 'confirmation', message: `Type ${email} to confirm` }] });
      await deletions.deleteAccount(actor.user_id, { endProjects, endBilling });
      // failpoint: account-deleted
      return null;
    },
  });

  async function mustFind(user_id: string) {
    const user = await accounts.user(user_id);
    if (!user) throw new ApiError('not_signed_in');
    return user;
  }
};

const shownSession = (row: SessionRow, { session_id }: Pick<Person, 'session_id'>) => ({
  ...row,
  device: describeDevice(row.user_agent),
  is_current: row.id === session_id,
});

const originOf = ({ ip, user_agent }: Pick<Caller, 'ip' | 'user_agent'>): Origin => ({ at: new Date(), ip, user_agent });
