import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Provider } from '@paddock/contract';
import { Events, type MutableResponse, OAuth2Server } from 'oauth2-mock-server';
import type { ProviderSettings } from '../src/config/config.ts';
import type { Scope } from './platform.ts';

/** A person with an account at a provider. `verified` in the provider's own form; undefined: the claim is missing. */
export interface Somebody {
  subject: string;
  email?: string | undefined;
  verified?: unknown;
  name?: string;
}
export type IdentityProvider = Awaited<ReturnType<typeof startProvider>>;

const client = { client_id: 'paddock-test', client_secret: 'CANARY-client-secret' };
const key = new OAuth2Server().issuer.keys.generate('RS256');

/** A real OAuth server on loopback with the endpoints, claims and behaviour of one of the five. It signs `somebody` in without a prompt.
 * `knownAs` is its own issuer, when the browser and the server reach it at another address. */
export async function startProvider(t: Scope, provider: Provider, knownAs?: string) {
  const isGitHub = provider === 'github';
  const endpoints = isGitHub ? { authorize: '/login/oauth/authorize', token: '/login/oauth/access_token' } : {};
  const { issuer, service } = new OAuth2Server(undefined, undefined, { endpoints });
  await issuer.keys.add({ ...(await key) });
  let instead: RequestListener | undefined;
  const insteadAt = new Map<string, RequestListener>();
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url?.split('?')[0]}`);
    const fault = instead ?? insteadAt.get(request.url ?? '');
    if (fault) return fault(request, response);
    if (isGitHub && request.url?.startsWith('/api/v3/')) return restOf(state.somebody, state.token, request, response);
    service.requestHandler(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  issuer.url = knownAs ?? address;
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });

  const seen: string[] = [];
  const state = {
    somebody: { subject: '1' } as Somebody,
    token: '',
    changeToken: undefined as ((claims: Record<string, unknown>) => unknown) | undefined,
  };
  service.on(Events.BeforeTokenSigning, (token: { payload: Record<string, unknown> }) => {
    Object.assign(token.payload, claimsOf(provider, state.somebody));
    state.changeToken?.(token.payload);
  });
  service.on(Events.BeforeUserinfo, (answer: MutableResponse) => {
    const { subject, name } = state.somebody;
    answer.body = { sub: subOf(provider, subject), ...(name === undefined ? {} : { name }) };
  });
  service.on(Events.BeforeResponse, (answer: MutableResponse, request: { body: Record<string, string> }) => {
    if (request.body.client_secret !== client.client_secret) {
      Object.assign(answer, { statusCode: 401, body: { error: 'invalid_client' } });
      return;
    }
    const { access_token, scope } = answer.body as Record<string, string>;
    state.token = access_token ?? '';
    if (isGitHub) answer.body = { access_token, scope, token_type: 'bearer' };
  });

  return {
    provider,
    /** Its own address. */
    address,
    issuer: issuer.url,
    settings: { ...client, issuer: knownAs === undefined ? address : undefined } satisfies ProviderSettings,
    /** Received requests, in the form `POST /token`. */
    seen,
    events: service,
    /** Sets the person who uses the browser from now on. */
    is: (somebody: Somebody) => void (state.somebody = somebody),
    /** Changes the claims of later tokens. */
    changeTokens: (change?: (claims: Record<string, unknown>) => unknown) => void (state.changeToken = change),
    /** Replaces the signing key. */
    changeKeys: async () => {
      const fresh = new OAuth2Server();
      await fresh.issuer.keys.generate('RS256');
      Object.defineProperty(issuer, 'keys', { value: fresh.issuer.keys });
    },
    /** Replaces all responses of the OAuth server; without a listener it works normally again. */
    answer: (listener?: RequestListener) => void (instead = listener),
    /** The same for one path. */
    answerAt: (path: string, listener?: RequestListener) => void (listener ? insteadAt.set(path, listener) : insteadAt.delete(path)),
  };
}

/** Simulates the browser at the provider: follows the URL, and returns the parameters of the redirect back. */
export async function visitProvider(authorization_url: string) {
  const answer = await fetch(authorization_url, { redirect: 'manual' });
  const back = new URL(answer.headers.get('location') ?? '');
  const { code = '', state = '', iss } = Object.fromEntries(back.searchParams);
  return { code, state, ...(iss === undefined ? {} : { iss }), address: back.origin + back.pathname };
}

// Microsoft's `sub` differs per application.
const subOf = (provider: Provider, subject: string) => (provider === 'microsoft' ? `${subject}-in-this-application` : subject);

function claimsOf(provider: Provider, { subject, email, verified, name }: Somebody): Record<string, unknown> {
  const claims = {
    sub: subOf(provider, subject),
    ...(email === undefined ? {} : { email }),
    ...(provider === 'gitlab' || !name ? {} : { name }),
  };
  const word = provider === 'microsoft' ? 'xms_edov' : 'email_verified';
  return {
    ...claims,
    ...(verified === undefined ? {} : { [word]: verified }),
    ...(provider === 'microsoft' ? { tid: 'tenant-1', oid: subject } : {}),
    ...(provider === 'slack' ? { 'https://slack.com/team_id': 'T1' } : {}),
  };
}

/** The two calls of GitHub's API that return the person. */
function restOf({ subject, email, verified, name }: Somebody, token: string, request: IncomingMessage, response: ServerResponse) {
  const send = (status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
  if (request.headers.authorization !== `Bearer ${token}`) return send(401, { message: 'Bad credentials' });
  if (request.url === '/api/v3/user') return send(200, { id: Number(subject), login: `login-${subject}`, name: name ?? null, email: null });
  const other = { email: 'other@example.org', primary: false, verified: true, visibility: null };
  const primary = { email, primary: true, visibility: 'private', ...(verified === undefined ? {} : { verified }) };
  return send(200, email === undefined ? [other] : [other, primary]);
}
