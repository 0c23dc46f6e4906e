import { ApiError, type User } from '@paddock/contract';
import { plainAddress } from '@paddock/network';
import type { Caller } from '../../http/serve.ts';
import type { SendMail } from '../../mail/mails.ts';
import type { DeviceTokens } from './device-tokens.ts';
import { deviceOf, neighbourhoodOf } from './devices.ts';
import type { AccountStore } from './store.ts';
import { newToken, tokenHash } from './tokens.ts';

const [hour, day] = [3600, 24 * 3600];
/** Seconds that a session lives, used or not: with 'Remember me' and without. */
const lifetimes = { remembered: 30 * day, plain: 12 * hour };

export interface Proof {
  /** As the mail about a new device tells it: 'Password', 'Google'. */
  how?: string;
  /** The hash that the password was checked against. */
  password_hash?: string | undefined;
}
/** Opens a session for a person who has proved who they are, with the second factor too. Its token is told here and never again. */
export type OpenSession = (user_id: string, remember: boolean, caller: Caller, proof?: Proof) => Promise<{ token: string; user: User }>;

export const sessionOpener =
  (store: AccountStore, devices: DeviceTokens, sendMail: SendMail): OpenSession =>
  async (user_id, remember, { newId, ip: sent, user_agent, ...caller }, { how = 'Password', password_hash } = {}) => {
    const [token, ip] = [newToken(), plainAddress(sent)];
    const session = { id: newId('ses'), token_hash: tokenHash(token), user_id, ip, user_agent, password_hash };
    const from = { device: deviceOf(user_agent), network: neighbourhoodOf(ip) };
    const lifetime_s = remember ? lifetimes.remembered : lifetimes.plain;
    const user = await store.openSession({ ...session, ...from, lifetime_s }, (tx, { email, name }) =>
      sendMail('new-sign-in', email, { name, how, at: new Date(), ip, user_agent }, tx),
    );
    if (!user) throw new ApiError('credentials_wrong'); // deleted, or given another password, this moment
    caller.keepDevice(await devices.remember(user_id, caller.devices));
    return { token, user };
  };
