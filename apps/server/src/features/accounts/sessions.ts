import { ApiError, type User } from '@paddock/contract';
import type { Caller } from '../../http/serve.ts';
import type { AccountStore } from './store.ts';
import { newToken, tokenHash } from './tokens.ts';

const day = 24 * 3600;
/** Seconds that a session lives: with 'Remember me' and without. */
const lifetimes = { remembered: 30 * day, plain: 12 * 3600 };

/** Opens a session for a person who has proved who they are. Its token is told here and never again. */
export type OpenSession = (user_id: string, remember: boolean, caller: Caller) => Promise<{ token: string; user: User }>;

export const sessionOpener =
  (store: AccountStore): OpenSession =>
  async (user_id, remember, { newId, ip, user_agent }) => {
    const token = newToken();
    const lifetime_s = remember ? lifetimes.remembered : lifetimes.plain;
    await store.openSession({ id: newId('ses'), token_hash: tokenHash(token), user_id, lifetime_s, ip, user_agent });
    const user = await store.user(user_id);
    if (!user) throw new ApiError('credentials_wrong'); // deleted this moment
    return { token, user };
  };
