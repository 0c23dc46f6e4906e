import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { callbackPath, providerNames, providers } from '@paddock/contract';
import { visitProvider } from '../../../test/identity-provider.ts';
import { codeOf, type OAuthWorld, somebody, startOAuthWorld } from '../../../test/oauth-world.ts';
import { atEnd } from '../../../test/postgres.ts';

let world: OAuthWorld;
before(async () => {
  world = await startOAuthWorld({ after: (end) => atEnd(async () => end()) });
});

for (const provider of providers) {
  const name = providerNames[provider];

  test(`a stranger gets an account, signs in again to the same one, and keeps it when the address there changes: ${name}`, async () => {
    const ada = somebody({ name: 'Ada Lovelace' });
    const first = await world.enter(provider, ada);
    assert.deepEqual({ ...first.user, id: '' }, { id: '', email: ada.email, name: 'Ada Lovelace', plan: 'free', email_verified: true });
    assert.deepEqual(await world.as(first.token).accounts.me(), first.user);
    assert.deepEqual((await world.as(first.token).projects.list()).projects, []);

    assert.equal((await world.enter(provider, ada)).user.id, first.user.id);
    const moved = await world.enter(provider, { ...ada, email: 'elsewhere@example.com' });
    assert.deepEqual(moved.user, first.user, 'the account is who it was');
    assert.equal(
      await codeOf(world.enter(provider, { ...ada, subject: '999999999' })),
      'account_not_linked',
      'the address alone is nobody',
    );
  });

  test(`an account with a password links it, signs in by it, and unlinks it: ${name}`, async () => {
    const { api, email } = await world.person();
    const there = somebody({ verified: false });
    const linked = await world.link(api, provider, there);
    assert.deepEqual([linked.provider, linked.email], [provider, there.email]);
    assert.equal((await world.enter(provider, there)).user.email, email);
    const [mail] = (await world.mailsTo(email)).filter(({ template }) => template === 'identity-linked');
    assert.match(JSON.stringify(mail?.data), new RegExp(`"provider":"${name}"`));

    assert.deepEqual(
      (await api.oauth.identities()).identities.map((each) => each.provider),
      [provider],
    );
    await api.oauth.unlink({ provider });
    assert.equal(await codeOf(api.oauth.unlink({ provider })), 'identity_not_found');
    assert.notEqual((await world.enter(provider, there)).user.email, email, 'it opens the account no more');
  });

  test(`the browser is sent with PKCE, state and an address of this provider alone: ${name}`, async () => {
    const { authorization_url, state, back } = await world.leave(provider, somebody());
    const query = new URL(authorization_url).searchParams;
    assert.equal(query.get('code_challenge_method'), 'S256');
    assert.match(query.get('code_challenge') ?? '', /^[\w-]{43}$/);
    assert.match(state, /^[\w-]{43}$/);
    assert.equal(query.get('state'), state);
    assert.equal(query.get('redirect_uri'), `http://localhost:4000${callbackPath(provider)}`);
    assert.equal(query.has('nonce'), provider !== 'github');
    assert.equal(back.state, state);
    assert.doesNotMatch(authorization_url, /CANARY|verifier/);
  });

  test(`without PKCE on the way there, its code is worth nothing: ${name}`, async () => {
    const { authorization_url } = await world.leave(provider, somebody());
    const stripped = new URL(authorization_url);
    for (const each of ['code_challenge', 'code_challenge_method']) stripped.searchParams.delete(each);
    const before = await world.count('sessions');
    const { code, state } = await visitProvider(stripped.href);
    assert.equal(await codeOf(world.anonymous.oauth.callback({ provider, code, state })), 'provider_refused');
    assert.equal(await world.count('sessions'), before);
  });
}

test('a state works once, and only if it was given out', async () => {
  const { back } = await world.leave('google', somebody());
  const answer = { provider: 'google' as const, code: back.code };
  assert.equal(await codeOf(world.anonymous.oauth.callback({ ...answer, state: 'x'.repeat(43) })), 'oauth_state_invalid');
  assert.equal(await codeOf(world.anonymous.oauth.callback({ ...answer, state: '' })), 'input_invalid');
  const { token } = await world.anonymous.oauth.callback({ ...answer, state: back.state });
  assert.match(token, /^pds_/);
  assert.equal(await codeOf(world.anonymous.oauth.callback({ ...answer, state: back.state })), 'oauth_state_invalid');
});

test('of twenty parallel uses of one answer one signs in', async () => {
  const { back } = await world.leave('gitlab', somebody());
  const uses = Array.from({ length: 20 }, () =>
    codeOf(world.anonymous.oauth.callback({ provider: 'gitlab', code: back.code, state: back.state })),
  );
  const codes = await Promise.all(uses);
  assert.equal(codes.filter((code) => code === 'oauth_state_invalid').length, 19, codes.join());
});

test('two answers of one stranger at once make one account', async () => {
  const ada = somebody();
  const [one, two] = [await world.leave('slack', ada), await world.leave('slack', ada)];
  const both = [one, two].map(({ back }) => world.anonymous.oauth.callback({ provider: 'slack', code: back.code, state: back.state }));
  const [first, second] = await Promise.all(both);
  assert.equal(first?.user.id, second?.user.id);
});

test('a state expires after ten minutes', async () => {
  const { back } = await world.leave('google', somebody());
  await world.sql`update oauth_states set expires_at = expires_at - interval '10 minutes'`;
  assert.equal(
    await codeOf(world.anonymous.oauth.callback({ provider: 'google', code: back.code, state: back.state })),
    'oauth_state_invalid',
  );
});

test('what one provider sent is worth nothing at the callback of another, and spends the state', async () => {
  const before = await world.count('sessions');
  const { back } = await world.leave('google', somebody());
  assert.equal(
    await codeOf(world.anonymous.oauth.callback({ provider: 'gitlab', code: back.code, state: back.state })),
    'oauth_state_invalid',
  );
  assert.equal(
    await codeOf(world.anonymous.oauth.callback({ provider: 'google', code: back.code, state: back.state })),
    'oauth_state_invalid',
  );
  // The state of one sign-in with the code of another: its verifier does not match.
  const [here, there] = [await world.leave('google', somebody()), await world.leave('gitlab', somebody())];
  const mixed = { provider: 'google' as const, code: there.back.code, state: here.back.state };
  assert.equal(await codeOf(world.anonymous.oauth.callback(mixed)), 'provider_refused');
  // A response that names an issuer other than the requested one.
  const { back: named } = await world.leave('google', somebody());
  const answer = { provider: 'google' as const, code: named.code, state: named.state, iss: world.servers.gitlab.issuer };
  assert.equal(await codeOf(world.anonymous.oauth.callback(answer)), 'provider_refused');
  assert.equal(await world.count('sessions'), before);
});

test('a token with a foreign nonce, issuer, audience, signature or age is refused', async () => {
  const before = await world.count('users');
  const { google, gitlab } = world.servers;
  const wrong: Record<string, (claims: Record<string, unknown>) => unknown> = {
    nonce: (claims) => (claims.nonce = 'another'),
    'no nonce': (claims) => delete claims.nonce,
    issuer: (claims) => (claims.iss = gitlab.issuer),
    audience: (claims) => (claims.aud = 'somebody-else'),
    'several audiences': (claims) => (claims.aud = ['somebody-else', 'another']),
    'no subject': (claims) => delete claims.sub,
    expired: (claims) => (claims.exp = 1),
  };
  for (const [what, change] of Object.entries(wrong)) {
    google.changeTokens(change);
    assert.equal(await codeOf(world.enter('google', somebody())), 'provider_refused', what);
  }
  google.changeTokens();
  google.events.once('beforeResponse', (answer: { body: { id_token: string } }) => {
    answer.body.id_token = answer.body.id_token.replace(/\.[^.]+$/, `.${'A'.repeat(342)}`);
  });
  assert.equal(await codeOf(world.enter('google', somebody())), 'provider_refused', 'signature');
  assert.equal(await world.count('users'), before);
});

test('an address to come back to that is not ours is refused', async () => {
  const hostile = [
    'https://evil.example/auth/callback',
    'http://localhost:4000.evil.example/auth/callback',
    'http://localhost:4000/auth/callback/../x',
  ];
  const others = ['http://localhost:4000/auth/callback/github', 'http://localhost:4000/', '//evil.example', 'javascript:alert(1)', ''];
  for (const redirect_uri of [...hostile, ...others])
    assert.equal(await codeOf(world.anonymous.oauth.authorize({ provider: 'google', redirect_uri })), 'input_invalid', redirect_uri);
  const { authorization_url } = await world.anonymous.oauth.authorize({
    provider: 'google',
    redirect_uri: 'http://localhost:4000/auth/callback',
  });
  assert.equal(new URL(authorization_url).searchParams.get('redirect_uri'), world.redirect_uri('google'));
});

test('an attempt to link belongs to the session that began it', async () => {
  const [ada, eve] = [await world.person(), await world.person()];
  world.servers.google.is(somebody());
  const password = 'correct horse battery';
  const begin = async () => {
    const { authorization_url } = await ada.api.oauth.link({ provider: 'google', redirect_uri: world.redirect_uri('google'), password });
    const { code, state } = await visitProvider(authorization_url);
    return { provider: 'google' as const, code, state };
  };
  assert.equal(await codeOf(eve.api.oauth.linkCallback(await begin())), 'oauth_state_invalid', 'not for another person');
  assert.equal(await codeOf(world.anonymous.oauth.callback(await begin())), 'oauth_state_invalid', 'not for signing in');
  const late = await begin();
  await ada.api.accounts.logout();
  assert.equal(await codeOf(ada.api.oauth.linkCallback(late)), 'not_signed_in');
  assert.equal((await world.sql`select 1 from oauth_states where session_id is not null`).length, 0, 'it ended with the session');
  const { back } = await world.leave('google', somebody());
  const signIn = { provider: 'google' as const, code: back.code, state: back.state };
  assert.equal(await codeOf(eve.api.oauth.linkCallback(signIn)), 'oauth_state_invalid', 'a sign-in links nothing');
});
