import { ApiError, type User } from '@paddock/contract';
import { plainAddress } from '@paddock/network';
import type { Caller } from '../../http/serve.ts';
import type { SendMail } from '../../mail/mails.ts';
import type { DeviceTokens } from './device-tokens.ts';
import { describeDevice, toNeighbourhood } from './devices.ts';
import type { SessionStore } from './session-store.ts';
import { newToken, tokenHash } from './tokens.ts';

const hour = 3600;
const day = 24 * hour;
/** Lifetime of a session, used or not: with 'Remember me' and without. */
const lifetimeSeconds = { remembered: 30 * day, plain: 12 * hour };

export interface NewSignIn {
  /** 'Remember me': a longer lifetime. */
  remember: boolean;
  /** The sign-in method, as named in the mail about a new device: 'Password', 'Google'. */
  how?: string;
  /** The hash that the password was checked against. */
  password_hash?: string | undefined;
}
/** Opens a session for a person who has been authenticated, including the second factor. The session's token is returned only here. */
export type OpenSession = (user_id: string, caller: Caller, signIn: NewSignIn) => Promise<{ token: string; user: User }>;

export const sessionOpener =
  (store: SessionStore, devices: DeviceTokens, sendMail: SendMail): OpenSession =>
  async (user_id, { newId, ip: sent, user_agent, ...caller }, { remember, how = 'Password', password_hash }) => {
    const token = newToken();
    const ip = plainAddress(sent);
    const session = {
      id: newId('ses'),
      token_hash: tokenHash(token),
      user_id,
      ip,
      user_agent,
      password_hash,
      device: describeDevice(user_agent),
      network: toNeighbourhood(ip),
      lifetimeSeconds: remember ? lifetimeSeconds.remembered : lifetimeSeconds.plain,
    };
    const user = await store.open(session, (tx, { email, name }) =>
      sendMail('new-sign-in', { to: email, data: { name, how, at: new Date(), ip, user_agent } }, tx),
    );
    if (!user) throw new ApiError('credentials_wrong'); // the account was just deleted, or its password changed
    caller.keepDevice(await devices.remember(user_id, caller.devices));
    return { token, user };
  };
