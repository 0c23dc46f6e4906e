import { ApiError, type accounts, normalAddress } from '@paddock/contract';
import { toNetworkKey } from '@paddock/network';
import { setSubject } from '../../../audit/call.ts';
import type { Sql, Tx } from '../../../db/connect.ts';
import type { RateLimit } from '../../../http/rate-limit.ts';
import type { Caller, Handlers } from '../../../http/serve.ts';
import type { SendMail } from '../../../mail/mails.ts';
import type { AttemptLimits } from '../attempt-limits.ts';
import type { DeviceTokens } from '../device-tokens.ts';
import type { LinkStore } from '../link-store.ts';
import { refusePassword } from '../password-refusal.ts';
import type { Passwords } from '../passwords.ts';
import type { SessionStore } from '../session-store.ts';
import type { AccountStore } from '../store.ts';
import type { ResetRequests } from './reset-requests.ts';

/**
 * Called when a person proved for the first time that an account's address is theirs, and set a password. Credentials that were created before may
 * belong to a stranger who signed up with that address: they must be removed in this transaction.
 */
export type FirstProof = (user_id: string, tx: Tx) => Promise<unknown>;

export interface RecoveryParts {
  sql: Sql;
  store: AccountStore;
  sessions: Pick<SessionStore, 'closeAllOf'>;
  links: LinkStore;
  requests: ResetRequests;
  devices: DeviceTokens;
  hash: Passwords['hash'];
  sendMail: SendMail;
  onFirstProof: FirstProof[];
  limit: RateLimit;
  maxAttempts: AttemptLimits;
}

/** The calls that request mailed links and use them. */
export function recoveryHandlers({
  sql,
  store,
  sessions,
  links,
  requests,
  devices,
  hash,
  sendMail,
  onFirstProof,
  limit,
  maxAttempts,
}: RecoveryParts): Pick<Handlers<typeof accounts>, 'forgot' | 'reset' | 'verify' | 'resendVerification'> {
  const countUse = ({ ip }: Caller) =>
    limit.take([{ key: `link:address:${toNetworkKey(ip)}`, max: maxAttempts.links, windowSeconds: 900 }]);
  return {
    async forgot({ email }, { ip }) {
      await limit.take([
        { key: `forgot:account:${normalAddress(email)}`, max: maxAttempts.mails, windowSeconds: 3600 },
        { key: `forgot:address:${toNetworkKey(ip)}`, max: maxAttempts.linkRequests, windowSeconds: 3600 },
        { key: 'forgot:everybody', max: maxAttempts.linkRequestsOfAll, windowSeconds: 3600 },
      ]);
      await requests.note(email); // no account is looked up here, so that the response cannot reveal one
      return null;
    },

    async reset({ token, password }, caller) {
      await countUse(caller);
      const owner = await links.find('reset-password', token);
      setSubject(owner?.user_id);
      if (!owner) throw new ApiError('link_invalid');
      await refusePassword(password, owner);
      const password_hash = await hash(password);
      const device = await sql.begin(async (tx) => {
        const proved = await links.use('reset-password', token, tx);
        const user = proved && (await store.resetPassword({ ...proved, password_hash }, tx));
        if (!user) throw new ApiError('link_invalid');
        if (!user.was_verified) for (const forget of onFirstProof) await forget(proved.user_id, tx);
        await sessions.closeAllOf(proved.user_id, tx);
        await links.voidAll(proved.user_id, tx);
        const { ip, user_agent } = caller;
        await sendMail('password-changed', { to: user.email, data: { name: user.name, at: new Date(), ip, user_agent } }, tx);
        return devices.startAnew(proved.user_id, tx);
      });
      // Guesses of strangers must not lock out the owner of the mail address.
      await limit.forget(`login:account:${normalAddress(owner.email)}`);
      caller.keepDevice(device);
      return null;
    },

    async verify({ token }, caller) {
      await countUse(caller);
      return sql.begin(async (tx) => {
        const proved = await links.use('verify-email', token, tx);
        const email = proved && (await store.verifyEmail(proved, tx));
        if (!email) throw new ApiError('link_invalid');
        return { email };
      });
    },

    async resendVerification(_, { actor }) {
      await limit.take([{ key: `resend:account:${actor.user_id}`, max: maxAttempts.mails, windowSeconds: 3600 }]);
      const user = await store.user(actor.user_id);
      if (!user || user.email_verified) return null;
      await sql.begin(async (tx) => {
        const token = await links.make('verify-email', { user_id: user.id, email: user.email }, tx);
        await sendMail('verify-email', { to: user.email, data: { name: user.name, token } }, tx);
      });
      return null;
    },
  };
}
