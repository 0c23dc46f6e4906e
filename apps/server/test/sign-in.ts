import assert from 'node:assert/strict';
import { type Api, apiOf } from './server.ts';

/** The password of `person` from `startApi`. */
export const password = 'correct horse battery';

/** Signs in from a given browser; for a refusal returns the code. */
export const signInAt =
  (origin: () => string) =>
  async (email: string, word = password, user_agent = 'node') => {
    const answer = await fetch(`${origin()}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': user_agent },
      body: JSON.stringify({ email, password: word }),
    });
    const { token, code } = (await answer.json()) as { token: string; code?: string };
    return { token, code, api: apiOf(origin(), token) };
  };

/** The session of this client has ended. */
export const isOver = (api: Api) => assert.rejects(api.accounts.me(), { code: 'not_signed_in' });
