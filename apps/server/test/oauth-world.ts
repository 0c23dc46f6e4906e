import { ApiError, callbackPath, type Provider, providers } from '@paddock/contract';
import { attemptLimits } from '../src/features/accounts/attempt-limits.ts';
import { type IdentityProvider, type Somebody, startProvider, visitProvider } from './identity-provider.ts';
import type { Scope } from './platform.ts';
import { type Api, apiOf, startApi } from './server.ts';

export type OAuthWorld = Awaited<ReturnType<typeof startOAuthWorld>>;
type StartOptions = Parameters<typeof startApi>[1];

/** The API with an OAuth server for each of the five providers. Attempts are not limited by default. */
export async function startOAuthWorld(t: Scope, around: StartOptions = {}) {
  const servers = Object.fromEntries(
    await Promise.all(providers.map(async (provider) => [provider, await startProvider(t, provider)] as const)),
  ) as Record<Provider, IdentityProvider>;
  const api = await startApi(t, {
    oauth: Object.fromEntries(Object.values(servers).map(({ provider, settings }) => [provider, settings])),
    attempts: { ...attemptLimits, signups: 10_000, address: 10_000 },
    oauthAttempts: { address: 10_000, everybody: 10_000 },
    ...around,
  });
  const redirect_uri = (provider: Provider) => `http://localhost:4000${callbackPath(provider)}`;
  /** From the button to the return from the provider. */
  const leave = async (provider: Provider, somebody: Somebody) => {
    servers[provider].is(somebody);
    const { authorization_url, state } = await api.anonymous.oauth.authorize({ provider, redirect_uri: redirect_uri(provider) });
    const back = await visitProvider(authorization_url);
    return { authorization_url, state, back };
  };
  /** A complete sign-in; throws the API's error. */
  const enter = async (provider: Provider, somebody: Somebody) => {
    const { back } = await leave(provider, somebody);
    const { address: _, ...answer } = back;
    return api.anonymous.oauth.callback({ provider, ...answer });
  };
  /** Links a provider in the session of `person`, whose password is that of all people in the tests. */
  const link = async (person: Api, provider: Provider, somebody: Somebody, password = 'correct horse battery') => {
    servers[provider].is(somebody);
    const { authorization_url } = await person.oauth.link({ provider, redirect_uri: redirect_uri(provider), password });
    const { address: _, ...answer } = await visitProvider(authorization_url);
    return person.oauth.linkCallback({ provider, ...answer });
  };
  const count = async (table: 'users' | 'sessions' | 'identities' | 'oauth_states' | 'oauth_waiting') =>
    (await api.sql<[{ n: number }]>`select count(*)::int as n from ${api.sql(table)}`)[0].n;
  return { ...api, servers, redirect_uri, leave, enter, link, count, as: (token: string) => apiOf(api.origin, token) };
}

/** The error code of a call; its result, if it succeeded. */
export const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    (value) => `went well: ${JSON.stringify(value)}`,
    (error: unknown) => (error instanceof ApiError ? error.code : Promise.reject(error)),
  );

let people = 0;
/** A person whom no test has used before. */
export const somebody = (more: Partial<Somebody> = {}): Somebody => {
  const subject = String(1000 + ++people);
  return { subject, email: `person${subject}@example.com`, verified: true, name: `Person ${subject}`, ...more };
};
