import { ApiError, callbackPath, type Provider, providerNames } from '@paddock/contract';
import * as client from 'openid-client';
import type { OAuthSettings } from '../../config/config.ts';
import type { Log } from '../../log.ts';
import { boundedFetch, ProviderAway, withinBudget } from './bounded-fetch.ts';
import { githubClaims, githubEndpoints } from './github.ts';
import { type ProvedPerson, provedPerson } from './person.ts';
import { type Claims, providerKinds, realm } from './providers.ts';

/** Secrets that are kept on the server while the browser is at the provider. */
export interface Begun {
  verifier: string;
  nonce: string;
}
export interface ProviderAnswer {
  code: string;
  state: string;
  iss?: string | undefined;
}
/** Inputs of the last step, when the browser has returned. */
interface Return {
  begun: Begun;
  answer: ProviderAnswer;
}
export type OAuthClients = ReturnType<typeof oauthClients>;

/** Discovery documents are reloaded after an hour, or when a token was signed with an unknown key. */
const metadataMs = 3_600_000;

/** The protocol with each configured provider. Failures become provider_unavailable or provider_refused, without secrets. */
export function oauthClients(settings: OAuthSettings, publicUrl: string, log: Pick<Log, 'warn'>) {
  const known = new Map<Provider, { config: client.Configuration; until: number }>();

  const issuerOf = (provider: Provider) => settings[provider]?.issuer ?? providerKinds[provider].issuer;
  const redirectUri = (provider: Provider) => publicUrl + callbackPath(provider);

  async function configured(provider: Provider): Promise<client.Configuration> {
    const own = settings[provider];
    if (!own) throw new ApiError('provider_not_configured');
    const kept = known.get(provider);
    if (kept && kept.until > Date.now()) return kept.config;
    const config = await makeConfig(provider, own.client_id, own.client_secret);
    known.set(provider, { config, until: Date.now() + metadataMs });
    return config;
  }

  async function makeConfig(provider: Provider, id: string, secret: string) {
    const issuer = new URL(issuerOf(provider));
    const isPlainHttp = issuer.protocol === 'http:'; // the settings only allow that on this machine
    if (providerKinds[provider].plain) {
      const config = new client.Configuration({ issuer: issuer.href, ...githubEndpoints(issuer) }, id, secret);
      config[client.customFetch] = boundedFetch;
      if (isPlainHttp) client.allowInsecureRequests(config);
      return config;
    }
    const discovered = client.discovery(issuer, id, secret, undefined, {
      [client.customFetch]: boundedFetch,
      // Signatures of ID tokens are checked, although they come directly from the provider.
      execute: [client.enableNonRepudiationChecks, ...(isPlainHttp ? [client.allowInsecureRequests] : [])],
    });
    return discovered.catch((cause: unknown) => {
      throw new ProviderAway(`its discovery document cannot be used: ${told(cause)}`);
    });
  }

  async function fetchClaims(provider: Provider, config: client.Configuration, { begun, answer }: Return) {
    const { verifier, nonce } = begun;
    const back = new URL(redirectUri(provider));
    for (const [name, value] of Object.entries(answer)) if (value !== undefined) back.searchParams.set(name, String(value));
    const isPlain = providerKinds[provider].plain === true;
    const tokens = await client.authorizationCodeGrant(config, back, {
      expectedState: answer.state,
      pkceCodeVerifier: verifier,
      ...(isPlain ? {} : { expectedNonce: nonce, idTokenExpected: true }),
    });
    if (isPlain) return githubClaims(config, tokens.access_token, new URL(issuerOf(provider)));
    const claims: Claims = { ...tokens.claims() };
    if ((claims.email && claims.name) || !config.serverMetadata().userinfo_endpoint) return claims;
    const info: Claims = await client.fetchUserInfo(config, tokens.access_token, String(claims.sub));
    // An address and its verified flag must come from one source. The signed token takes precedence over the user info.
    return claims.email ? { ...claims, name: info.name } : { ...claims, name: claims.name ?? info.name, ...addressOf(info) };
  }

  /** Runs one step. A failure becomes one of two errors. */
  const step = async <T>(provider: Provider, signal: AbortSignal, work: (config: client.Configuration) => Promise<T>): Promise<T> => {
    try {
      return await withinBudget(signal, async () => work(await configured(provider)));
    } catch (error) {
      if (Object(error).code === 'OAUTH_KEY_SELECTION_FAILED') known.delete(provider);
      const failure = asProviderError(provider, error);
      // Errors with a status of 500 and more are logged with the request.
      if (failure !== error && failure.status < 500) log.warn({ provider, reason: told(error) }, 'provider sign-in failed');
      throw failure;
    }
  };

  return {
    isConfigured: (provider: Provider) => settings[provider] !== undefined,
    /** The realm in which subjects of this provider identify the same person. */
    realm: (provider: Provider) => realm(issuerOf(provider)),
    /** Our URLs that a caller may request as the return address. */
    ownAddresses: (provider: Provider) => [`${publicUrl}/auth/callback`, redirectUri(provider)],

    /** The URL to send the browser to, and the secrets to keep until it returns. */
    begin: (provider: Provider, state: string, signal: AbortSignal): Promise<{ authorization_url: string; begun: Begun }> =>
      step(provider, signal, async (config) => {
        const begun = { verifier: client.randomPKCECodeVerifier(), nonce: client.randomNonce() };
        const url = client.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri(provider),
          scope: providerKinds[provider].scope,
          state,
          code_challenge: await client.calculatePKCECodeChallenge(begun.verifier),
          code_challenge_method: 'S256',
          ...(providerKinds[provider].plain ? {} : { nonce: begun.nonce }),
        });
        return { authorization_url: url.href, begun };
      }),

    /** The person who returned, by the code of the provider's response. */
    finish: (provider: Provider, back: Return, signal: AbortSignal): Promise<ProvedPerson> =>
      step(provider, signal, async (config) =>
        provedPerson(provider, realm(issuerOf(provider)), await fetchClaims(provider, config, back)),
      ),
  };
}

const addressOf = ({ email, email_verified, xms_edov }: Claims) => ({ email, email_verified, xms_edov });

/** The library's codes for unreadable responses. */
const unreadable = new Set(['OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_PARSE_ERROR', 'OAUTH_TIMEOUT', 'OAUTH_ABORT']);

function asProviderError(provider: Provider, error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const name = providerNames[provider];
  const { code, error: said } = Object(error) as { code?: string; error?: unknown };
  // The library attaches tokens and codes to its errors, so the errors are not passed on.
  const cause = new Error(`${provider}: ${told(error)}`);
  if (typeof said === 'string' && wrongClient.has(said))
    return new ApiError('provider_unavailable', {
      detail: `${name} does not accept this installation. Ask the operator to check its client id and secret.`,
      cause,
    });
  if (causes(error).some((each) => each instanceof ProviderAway) || unreadable.has(code ?? ''))
    return new ApiError('provider_unavailable', {
      detail: `${name} is not responding correctly. Try again in a moment, or sign in another way.`,
      cause,
    });
  return new ApiError('provider_refused', { detail: `${name} did not confirm this sign-in. Start again.`, cause });
}

const wrongClient = new Set(['invalid_client', 'unauthorized_client', 'incorrect_client_credentials', 'bad_client_secret']);

function causes(error: unknown): Error[] {
  const found: Error[] = [];
  for (let each = error; each instanceof Error && found.length < 5; each = each.cause) found.push(each);
  return found;
}

/** The causes of a failure, in words of the library and of the standard. */
function told(error: unknown): string {
  const { error: said } = Object(error) as { error?: unknown };
  return [...causes(error).map(({ message }) => message), ...(typeof said === 'string' ? [said.slice(0, 100)] : [])].join(': ');
}
