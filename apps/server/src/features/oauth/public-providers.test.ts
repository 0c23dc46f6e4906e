import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Provider, providers } from '@paddock/contract';
import { type IdentityProvider, startProvider, visitProvider } from '../../../test/identity-provider.ts';
import { codeOf, somebody } from '../../../test/oauth-world.ts';
import { atEnd } from '../../../test/postgres.ts';
import { startApi } from '../../../test/server.ts';
import { providerKinds } from './providers.ts';

/**
 * The five providers with their default issuers. Nothing leaves this machine: requests to their hosts go to OAuth servers on
 * loopback, which pose as them. Any other host is refused.
 */
const standIns: Record<string, { server: IdentityProvider; path: (path: string) => string }> = {};
const dial = globalThis.fetch;
const asked: string[] = [];
globalThis.fetch = (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  if (url.hostname === '127.0.0.1') return dial(input, init);
  const standIn = standIns[url.hostname];
  if (!standIn) throw new Error(`${url.hostname} was dialled`);
  asked.push(url.origin + url.pathname);
  return dial(standIn.server.address + standIn.path(url.pathname) + url.search, init);
};

const same = (path: string) => path;
const servers = {} as Record<Provider, IdentityProvider>;
let api: Awaited<ReturnType<typeof startApi>>;
before(async () => {
  const scope = { after: (end: () => unknown) => atEnd(async () => end()) };
  for (const provider of providers) servers[provider] = await startProvider(scope, provider, providerKinds[provider].issuer);
  standIns['accounts.google.com'] = { server: servers.google, path: same };
  standIns['gitlab.com'] = { server: servers.gitlab, path: same };
  standIns['slack.com'] = { server: servers.slack, path: same };
  standIns['github.com'] = { server: servers.github, path: same };
  standIns['api.github.com'] = { server: servers.github, path: (path) => `/api/v3${path}` };
  standIns['login.microsoftonline.com'] = { server: servers.microsoft, path: (path) => path.replace('/common/v2.0', '') };
  // Microsoft's document for all tenants names none, and each token names its own.
  servers.microsoft.events.on('beforeWellKnownOpenIdConfiguration', (answer: { body: { issuer: string } }) => {
    answer.body.issuer = 'https://login.microsoftonline.com/{tenantid}/v2.0';
  });
  tokensOf('tenant-1');
  api = await startApi(scope, { oauth: Object.fromEntries(Object.values(servers).map((each) => [each.provider, each.settings])) });
});
const tokensOf = (tenant: string) =>
  servers.microsoft.changeTokens((claims) => (claims.iss = `https://login.microsoftonline.com/${tenant}/v2.0`));

async function enter(provider: Provider, there = somebody()) {
  servers[provider].is(there);
  const redirect_uri = 'http://localhost:4000/auth/callback';
  const { authorization_url } = await api.anonymous.oauth.authorize({ provider, redirect_uri });
  const { code, state } = await visitProvider(authorization_url);
  return api.anonymous.oauth.callback({ provider, code, state });
}

for (const provider of providers)
  test(`people sign in through the public one, by its https addresses alone: ${provider}`, async () => {
    const there = somebody();
    const { user } = await enter(provider, there);
    assert.equal(user.email, there.email);
    assert.equal((await enter(provider, there)).user.id, user.id);
    const hosts = Object.keys(standIns).filter((host) => standIns[host]?.server === servers[provider]);
    for (const host of hosts)
      assert.ok(
        asked.some((address) => address.startsWith(`https://${host}/`)),
        host,
      );
  });

test('a token of a Microsoft tenant says the tenant that issued it', async () => {
  tokensOf('tenant-2'); // but its claim `tid` is tenant-1
  assert.equal(await codeOf(enter('microsoft')), 'provider_refused');
  tokensOf('{tenantid}');
  assert.equal(await codeOf(enter('microsoft')), 'provider_refused');
  tokensOf('tenant-1');
  await enter('microsoft');
});
