import { ApiError, type User } from '@paddock/contract';
import { plainAddress } from '@paddock/network';
import type { Caller } from '../../http/serve.ts';
import type { SendMail } from '../../mail/mails.ts';
import type { DeviceTokens } from './device-tokens.ts';
import { deviceOf, neighbourhoodOf } from './devices.ts';
import type { SessionStore } from './session-store.ts';
import { newToken, tokenHash } from './tokens.ts';

const hour = 3600;
const day = 24 * hour;
/** A session lives this long, used or not: with 'Remember me' and without. */
const lifetimeSeconds = { remembered: 30 * day, plain: 12 * hour };

export interface NewSignIn {
  /** 'Remember me': a longer life. */
  remember: boolean;
  /** The way in, as the mail about a new device tells it: 'Password', 'Google'. */
  how?: string;
  /** The hash that the password was checked against. */
  password_hash?: string | undefined;
}
/** Opens a session for a person who has proved who they are, with the second factor too. The session's token is told here and never again. */
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
      device: deviceOf(user_agent),
      network: neighbourhoodOf(ip),
      lifetimeSeconds: remember ? lifetimeSeconds.remembered : lifetimeSeconds.plain,
    };
    const user = await store.open(session, (tx, { email, name }) =>
      sendMail('new-sign-in', { to: email, data: { name, how, at: new Date(), ip, user_agent } }, tx),
    );
    if (!user) throw new ApiError('credentials_wrong'); // the account was deleted, or its password changed, this moment
    caller.keepDevice(await devices.remember(user_id, caller.devices));
    return { token, user };
  };
