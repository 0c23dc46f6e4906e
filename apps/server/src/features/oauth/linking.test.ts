import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Provider, providerNames, providers } from '@paddock/contract';
import { Secret, TOTP } from 'otpauth';
import { codeOf, type OAuthWorld, somebody, startOAuthWorld } from '../../../test/oauth-world.ts';
import { atEnd } from '../../../test/postgres.ts';

let world: OAuthWorld;
before(async () => {
  world = await startOAuthWorld({ after: (end) => atEnd(async () => end()) });
});

/** Possible claims of a provider about an address, and for which providers they are trusted. */
const words: Record<string, { verified: unknown; believed: (provider: Provider) => boolean }> = {
  verified: { verified: true, believed: () => true },
  unverified: { verified: false, believed: () => false },
  'nothing about it': { verified: undefined, believed: () => false },
  'the string "true"': { verified: 'true', believed: (provider) => provider === 'microsoft' },
  'the string "false"': { verified: 'false', believed: () => false },
};
const locals = ['verified', 'unverified', 'none'] as const;

/** An account like one from a sign-up, without the time that hashing a password takes. */
const ownerOf = async (email: string, verified: boolean) => {
  const id = somebody().subject;
  await world.sql`insert into users (id, email, name, email_verified) values (${id}, ${email}, 'Owner', ${verified})`;
  await world.sql`insert into teams (id, name) values (${id}, 'Owner')`;
  await world.sql`insert into team_members (team_id, user_id) values (${id}, ${id})`;
};

for (const provider of providers)
  for (const local of locals)
    test(`only a proved address on both sides links: ${providerNames[provider]}, account here ${local}`, async () => {
      for (const [word, { verified, believed }] of Object.entries(words)) {
        const there = somebody({ verified });
        const email = (there.email ?? '').toUpperCase();
        if (local !== 'none') await ownerOf(email, local === 'verified');
        const identities = await world.count('identities');

        if (local === 'none') {
          const { user } = await world.enter(provider, there);
          assert.equal(user.email_verified, believed(provider), word);
          const mails = (await world.mailsTo(there.email)).map(({ template }) => template);
          assert.deepEqual(mails, believed(provider) ? [] : ['verify-email'], word);
        } else if (local === 'verified' && believed(provider)) {
          const { user } = await world.enter(provider, there);
          assert.equal(user.email, email, word);
          assert.ok((await world.mailsTo(email)).some(({ template }) => template === 'identity-linked'));
        } else {
          const refused = world.enter(provider, there);
          await assert.rejects(refused, {
            code: 'account_not_linked',
            status: 409,
            message: `An account with this e-mail address already exists. Sign in with its password first, then link ${providerNames[provider]} in the settings.`,
          });
          assert.equal(await world.count('identities'), identities, word);
        }
      }
    });

test('an account at a provider belongs to one account here, and an account here has one per provider', async () => {
  const [ada, eve] = [await world.person(), await world.person()];
  const there = somebody();
  await world.link(ada.api, 'google', there);
  assert.equal(await codeOf(world.link(eve.api, 'google', there)), 'identity_taken');
  assert.equal(await codeOf(world.link(ada.api, 'google', there)), 'provider_linked');
  assert.equal(await codeOf(world.link(ada.api, 'google', somebody())), 'provider_linked');
  assert.deepEqual((await eve.api.oauth.identities()).identities, []);
});

test('linking asks for the password once more, or for a session that is fresh', async () => {
  const { api } = await world.person();
  assert.equal(await codeOf(world.link(api, 'google', somebody(), 'wrong horse')), 'password_wrong');
  const { token } = await world.enter('github', somebody());
  await world.sql`update sessions set created_at = created_at - interval '11 minutes'`;
  assert.equal(await codeOf(world.link(world.as(token), 'google', somebody())), 'sign_in_again');
  assert.deepEqual((await api.oauth.identities()).identities, []);
});

test('the last way in cannot be unlinked, not even by two at once', async () => {
  const there = somebody();
  const { token } = await world.enter('github', there);
  const api = world.as(token);
  assert.deepEqual(await api.oauth.identities().then((list) => [list.has_password, list.identities.length]), [false, 1]);
  assert.equal(await codeOf(api.oauth.unlink({ provider: 'github' })), 'last_way_in');
  await world.link(api, 'slack', somebody());
  const both = await Promise.all([codeOf(api.oauth.unlink({ provider: 'github' })), codeOf(api.oauth.unlink({ provider: 'slack' }))]);
  assert.deepEqual(both.sort(), ['last_way_in', 'went well: null']);
  assert.equal((await api.oauth.identities()).identities.length, 1);
});

test('an account without a password cannot be entered with one', async () => {
  const there = somebody();
  await world.enter('google', there);
  assert.equal(await codeOf(world.anonymous.accounts.login({ email: there.email ?? '', password: '' })), 'credentials_wrong');
});

test('no address, or none that can be one, makes no account', async () => {
  const before = await world.count('users');
  for (const provider of providers)
    for (const email of [undefined, '', 'not an address', 'a\u0000b@example.com', 'a\u202eb@example.com', `${'x'.repeat(250)}@example.com`])
      assert.equal(await codeOf(world.enter(provider, somebody({ email }))), 'provider_email_missing', `${provider} ${email}`);
  assert.equal(await world.count('users'), before);
});

test('a name from a provider is text of bounded length without control characters', async () => {
  const cases: [string, string][] = [
    ['  Ada\u0000\u202e \n Lovelace\u2066 ', 'Ada Lovelace'],
    ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
    ['\ud800half', 'half'],
    ['🦆'.repeat(500), '🦆'.repeat(120)],
  ];
  for (const [given, stored] of cases) assert.equal((await world.enter('google', somebody({ name: given }))).user.name, stored);
  const nameless = somebody({ name: '\u200b' });
  assert.equal((await world.enter('google', nameless)).user.name, nameless.email?.split('@')[0]);
});

test('claims that are not what they should be make no account', async () => {
  const before = await world.count('users');
  const hostile: Record<string, unknown>[] = [
    { sub: 7 },
    { sub: '' },
    { sub: 'x'.repeat(5000) },
    { sub: 'a\u0000b' },
    { email: ['a@example.com'] },
    { email: { $ne: '' } },
  ];
  for (const change of hostile) {
    world.servers.gitlab.changeTokens((claims) => Object.assign(claims, change));
    assert.match(
      await codeOf(world.enter('gitlab', somebody())),
      /^provider_(refused|email_missing)$/,
      JSON.stringify(change).slice(0, 60),
    );
  }
  world.servers.gitlab.changeTokens();
  for (const missing of ['tid', 'oid']) {
    world.servers.microsoft.changeTokens((claims) => delete claims[missing]);
    assert.equal(await codeOf(world.enter('microsoft', somebody())), 'provider_refused', missing);
  }
  world.servers.microsoft.changeTokens();
  assert.equal(await world.count('users'), before);
});

test('the same object id in another Microsoft tenant is somebody else', async () => {
  const there = somebody();
  const { user } = await world.enter('microsoft', there);
  world.servers.microsoft.changeTokens((claims) => (claims.tid = 'tenant-2'));
  assert.equal(await codeOf(world.enter('microsoft', there)), 'account_not_linked');
  const other = await world.enter('microsoft', { ...there, email: 'other.tenant@example.com' });
  world.servers.microsoft.changeTokens();
  assert.notEqual(other.user.id, user.id);
});

test('a protected account waits for its code: five tries, the same answer of the provider, one session', async () => {
  const there = somebody();
  const api = world.as((await world.enter('google', there)).token);
  const { secret } = await api.twoFactor.setUp({});
  const now = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await api.twoFactor.confirm({ code: now() });
  const wrong = () => String((Number(now()) + 123_456) % 1_000_000).padStart(6, '0');
  const begin = async () => {
    const { back } = await world.leave('google', there);
    const answer = { provider: 'google' as const, code: back.code, state: back.state };
    assert.equal(await codeOf(world.anonymous.oauth.callback(answer)), 'second_factor_required');
    // Attempts at codes count per account, and a code works once: each attempt starts with fresh counters.
    await world.sql`delete from rate_limits`;
    await world.sql`update second_factors set last_step = 0`;
    return answer;
  };
  const sessions = await world.count('sessions');
  const answer = await begin();
  const withCode = (second_factor: string, change = {}) => world.anonymous.oauth.callback({ ...answer, ...change, second_factor });
  assert.equal(await codeOf(withCode(wrong())), 'second_factor_wrong');
  assert.equal(await codeOf(withCode(now(), { code: 'another' })), 'oauth_state_invalid', 'bound to the code');
  assert.equal(await codeOf(withCode(now(), { provider: 'gitlab' })), 'oauth_state_invalid', 'bound to the provider');
  assert.equal(await world.count('sessions'), sessions);
  const both = await Promise.all([codeOf(withCode(now())), codeOf(withCode(now()))]);
  assert.equal(both.filter((each) => each.startsWith('went well')).length, 1, both.join());
  assert.equal(await codeOf(withCode(now())), 'oauth_state_invalid');

  const tried = await begin();
  for (let tries = 0; tries < 5; tries++)
    assert.equal(await codeOf(world.anonymous.oauth.callback({ ...tried, second_factor: wrong() })), 'second_factor_wrong');
  await assert.rejects(world.anonymous.oauth.callback({ ...tried, second_factor: now() }), {
    message: 'Too many wrong codes. Start the sign-in again.',
  });

  const late = await begin();
  await world.sql`update oauth_waiting set expires_at = expires_at - interval '5 minutes'`;
  assert.equal(await codeOf(world.anonymous.oauth.callback({ ...late, second_factor: now() })), 'oauth_state_invalid');
});

test('whoever proves an address first, and sets a password, ends the ways in that a stranger made before', async () => {
  const stranger = somebody({ verified: false });
  const email = stranger.email ?? '';
  const { user } = await world.enter('github', stranger);
  await world.sql`update mailed_links set purpose = 'reset-password' where user_id = ${user.id}`;
  const [mail] = await world.mailsTo(email);
  await world.anonymous.accounts.reset({ token: mail?.token ?? '', password: 'another correct horse' });
  assert.equal(await codeOf(world.enter('github', stranger)), 'account_not_linked');
  const { token } = await world.anonymous.accounts.login({ email, password: 'another correct horse' });
  assert.deepEqual((await world.as(token).oauth.identities()).identities, []);
});
