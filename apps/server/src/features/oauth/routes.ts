import { ApiError, oauth, type Provider, providerNames, providers, type User } from '@paddock/contract';
import { toNetworkKey } from '@paddock/network';
import { setSubject } from '../../audit/call.ts';
import { oauthSettings } from '../../config/config.ts';
import type { Person } from '../../http/authenticate.ts';
import type { RateLimit } from '../../http/rate-limit.ts';
import { type Caller, serve } from '../../http/serve.ts';
import type { OAuthClients } from './clients.ts';
import type { Ways } from './sign-in.ts';
import { newState, type OAuthStates } from './states.ts';

export interface OAuthParts {
  clients: OAuthClients;
  states: OAuthStates;
  ways: Ways;
  limit: RateLimit;
  maxAttempts: OAuthLimits;
  openSession: (user_id: string, caller: Caller, signIn: { remember: boolean; how: string }) => Promise<{ token: string; user: User }>;
  secondFactor: SecondFactor;
  /** Throws unless the person authenticates again. */
  reauthenticate: (person: Person, password: string | undefined) => Promise<unknown>;
}

/** The second factor of accounts that require one. */
export interface SecondFactor {
  isOn: (user_id: string) => Promise<boolean>;
  /** True for a right code, which is then consumed. */
  check: (user_id: string, code: string, caller: Caller) => Promise<boolean>;
}

export interface OAuthLimits {
  /** Sign-in steps within 15 minutes, from one address and in total. A sign-in has two steps. */
  address: number;
  everybody: number;
}
export const oauthLimits: OAuthLimits = { address: 100, everybody: 5000 };

/** A sign-in (`session_id` is null), or the linking of a provider in a session. */
interface Attempt {
  provider: Provider;
  redirect_uri: string;
  session_id: string | null;
}

export function oauthRoutes({ clients, states, ways, limit, maxAttempts, openSession, secondFactor, reauthenticate }: OAuthParts) {
  const count = ({ ip }: Caller) =>
    limit.take([
      { key: `oauth:address:${toNetworkKey(ip)}`, max: maxAttempts.address, windowSeconds: 900 },
      { key: 'oauth:everybody', max: maxAttempts.everybody, windowSeconds: 900 },
    ]);

  async function begin({ provider, redirect_uri, session_id }: Attempt, caller: Caller) {
    await count(caller);
    if (!clients.isConfigured(provider)) throw new ApiError('provider_not_configured', { detail: hintFor(provider) });
    const own = clients.ownAddresses(provider);
    if (!own.includes(redirect_uri)) {
      const message = `Sign-in with ${providerNames[provider]} comes back to ${new URL(own[0] ?? '').origin} only. Open the console there.`;
      throw new ApiError('input_invalid', { detail: message, errors: [{ path: 'redirect_uri', message }] });
    }
    const state = newState();
    const { authorization_url, begun } = await clients.begin(provider, state, caller.signal);
    await states.keep(state, { provider, session_id, begun });
    return { authorization_url, state };
  }

  return serve(oauth, {
    providers: async () => ({
      providers: providers.map((provider) => {
        const is_configured = clients.isConfigured(provider);
        return { provider, name: providerNames[provider], is_configured, hint: is_configured ? null : hintFor(provider) };
      }),
    }),

    authorize: ({ provider, redirect_uri }, caller) => begin({ provider, redirect_uri, session_id: null }, caller),

    async callback({ provider, code, state, iss, remember, second_factor }, caller) {
      await count(caller);
      let user_id = await states.waiting(state, code, provider);
      if (user_id === undefined) {
        const begun = await states.take(state, provider, null);
        const person = await clients.finish(provider, { begun, answer: { code, state, iss } }, caller.signal);
        user_id = await ways.enter(person, caller);
        if (!(await secondFactor.isOn(user_id))) return openSession(user_id, caller, { remember, how: providerNames[provider] });
        await states.hold(state, { code, provider, user_id });
      }
      setSubject(user_id);
      if (!second_factor) throw new ApiError('second_factor_required');
      await states.tryOnce(state);
      if (!(await secondFactor.check(user_id, second_factor, caller))) throw new ApiError('second_factor_wrong');
      if (!(await states.release(state))) throw new ApiError('oauth_state_invalid');
      return openSession(user_id, caller, { remember, how: providerNames[provider] });
    },

    async link({ provider, redirect_uri, password }, caller) {
      await reauthenticate(caller.actor, password); // a linked provider grants access beyond this session
      return begin({ provider, redirect_uri, session_id: caller.actor.session_id }, caller);
    },

    async linkCallback({ provider, code, state, iss }, caller) {
      await count(caller);
      const begun = await states.take(state, provider, caller.actor.session_id);
      const person = await clients.finish(provider, { begun, answer: { code, state, iss } }, caller.signal);
      return ways.link(caller.actor.user_id, person, caller);
    },

    identities: (_, { actor }) => ways.list(actor.user_id),

    identity: ({ provider }, { actor }) => ways.get(actor.user_id, provider),

    async unlink({ provider }, { actor }) {
      await ways.unlink(actor.user_id, provider);
      return null;
    },
  });
}

function hintFor(provider: Provider): string {
  const { id, secret } = oauthSettings(provider);
  return `${providerNames[provider]} is not configured here. The operator sets ${id} and ${secret}, as docs/sign-in.md says, and starts the server again.`;
}
