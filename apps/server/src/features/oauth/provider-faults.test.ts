import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { before, test } from 'node:test';
import { ApiError, type Provider, providers } from '@paddock/contract';
import { pino } from 'pino';
import { codeOf, type OAuthWorld, somebody, startOAuthWorld } from '../../../test/oauth-world.ts';
import { atEnd } from '../../../test/postgres.ts';
import { startApi } from '../../../test/server.ts';

const logged: string[] = [];
let world: OAuthWorld;
before(async () => {
  const log = pino({ level: 'trace' }, { write: (line) => void logged.push(line) });
  world = await startOAuthWorld({ after: (end) => atEnd(async () => end()) }, { log });
});

const json = { 'content-type': 'application/json' };
let elsewhere = 0;
/** Faulty responses of a provider. */
const faults: Record<string, RequestListener> = {
  'cuts the line': (request) => request.socket.destroy(),
  'HTTP 500': (_, response) => response.writeHead(500).end('CANARY-answer'),
  HTML: (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>CANARY-answer</html>'),
  'not JSON': (_, response) => response.writeHead(200, json).end('{"access_token":'),
  'another JSON': (_, response) => response.writeHead(200, json).end('[1, {"access_token": {}}]'),
  '10 MB': (_, response) => response.writeHead(200, json).end(`{"a":"${'x'.repeat(10_000_000)}"}`),
  'a redirect': (_, response) => response.writeHead(302, { location: `${world.servers.slack.issuer}/elsewhere` }).end(),
  'a head that never ends in a body': (request, response) => {
    response.writeHead(200, { ...json, 'content-length': '100' }).write('{');
    setImmediate(() => request.socket.destroy());
  },
};

const settled = async () => [await world.count('users'), await world.count('identities'), await world.count('sessions')];
const elsewhereSeen = () => world.servers.slack.seen.filter((each) => each.includes('/elsewhere')).length;

test('a provider whose discovery document is no use is told as that, and works again once it is', async () => {
  const { google } = world.servers;
  const document = (await (await fetch(`${google.issuer}/.well-known/openid-configuration`)).json()) as object;
  const tooLong: RequestListener = (_, response) =>
    response.writeHead(200, json).end(JSON.stringify({ ...document, padding: 'x'.repeat(10_000_000) }));
  for (const [fault, listener] of Object.entries({ ...faults, 'right, but 10 MB': tooLong })) {
    google.answer(listener);
    const begun = world.anonymous.oauth.authorize({ provider: 'google', redirect_uri: world.redirect_uri('google') });
    await assert.rejects(
      begun,
      {
        code: 'provider_unavailable',
        status: 502,
        message: 'Google is not responding correctly. Try again in a moment, or sign in another way.',
      },
      fault,
    );
  }
  // A provider that claims to be another one.
  google.answer((_, response) => response.writeHead(200, json).end(JSON.stringify({ issuer: world.servers.gitlab.issuer })));
  assert.equal(
    await codeOf(world.anonymous.oauth.authorize({ provider: 'google', redirect_uri: world.redirect_uri('google') })),
    'provider_unavailable',
  );
  google.answer();
  await world.enter('google', somebody());
});

test('whatever a provider answers in place of a token, nothing is made, nothing is followed, and others can be used', async () => {
  elsewhere = elsewhereSeen();
  for (const provider of ['google', 'github', 'microsoft', 'gitlab'] as const)
    for (const [fault, listener] of Object.entries(faults)) {
      const { back } = await world.leave(provider, somebody());
      const before = await settled();
      world.servers[provider].answer(listener);
      const failure = await codeOf(world.anonymous.oauth.callback({ provider, code: back.code, state: back.state }));
      world.servers[provider].answer();
      assert.match(failure, /^provider_(unavailable|refused)$/, `${provider}: ${fault}`);
      assert.deepEqual(await settled(), before, `${provider}: ${fault}`);
    }
  assert.equal(elsewhereSeen(), elsewhere);
  await world.enter('slack', somebody());
});

test('a provider that changed its keys is believed again with the next sign-in', async () => {
  const { gitlab } = world.servers;
  await world.enter('gitlab', somebody());
  await gitlab.changeKeys();
  assert.equal(await codeOf(world.enter('gitlab', somebody())), 'provider_refused');
  await world.enter('gitlab', somebody());
});

test("GitHub's own calls may fail, too, and nothing is made", async () => {
  for (const path of ['/api/v3/user', '/api/v3/user/emails'])
    for (const [fault, listener] of Object.entries(faults)) {
      const { back } = await world.leave('github', somebody());
      const before = await settled();
      const { github } = world.servers;
      github.answerAt(path, listener);
      const failure = await codeOf(world.anonymous.oauth.callback({ provider: 'github', code: back.code, state: back.state }));
      github.answerAt(path);
      assert.match(failure, /^provider_(unavailable|refused|email_missing)$/, `${path}: ${fault}`);
      assert.deepEqual(await settled(), before, `${path}: ${fault}`);
    }
});

test('a provider that never answers is given up within ten seconds, while others go on', { timeout: 120_000 }, async () => {
  const [google, gitlab] = [await world.leave('google', somebody()), await world.leave('gitlab', somebody())];
  for (const provider of ['google', 'gitlab'] as const) world.servers[provider].answer(() => undefined);
  world.servers.github.answerAt('/api/v3/user', (_, response) => void response.writeHead(200, json).write('{'));
  const github = await world.leave('github', somebody());
  const begun = performance.now();
  const waits = Object.entries({ google, gitlab, github }).map(async ([provider, { back }]) => {
    const answer = { provider: provider as Provider, code: back.code, state: back.state };
    const failure = await codeOf(world.anonymous.oauth.callback(answer));
    return [provider, failure];
  });
  await world.enter('microsoft', somebody());
  assert.deepEqual(await Promise.all(waits), [
    ['google', 'provider_unavailable'],
    ['gitlab', 'provider_unavailable'],
    ['github', 'provider_unavailable'],
  ]);
  assert.ok(performance.now() - begun < 60_000, 'the budget holds for all requests of a step together');
  for (const provider of ['google', 'gitlab'] as const) world.servers[provider].answer();
  world.servers.github.answerAt('/api/v3/user');
});

test('a wrong client secret is told to the operator, and the code is worth nothing more', async (t) => {
  const { settings } = world.servers.slack;
  const api = await startApi(t, { oauth: { slack: { ...settings, client_secret: 'CANARY-wrong' } } });
  const { authorization_url } = await api.anonymous.oauth.authorize({ provider: 'slack', redirect_uri: world.redirect_uri('slack') });
  world.servers.slack.is(somebody());
  const back = new URL((await fetch(authorization_url, { redirect: 'manual' })).headers.get('location') ?? '').searchParams;
  await assert.rejects(api.anonymous.oauth.callback({ provider: 'slack', code: back.get('code') ?? '', state: back.get('state') ?? '' }), {
    code: 'provider_unavailable',
    message: 'Slack does not accept this installation. Ask the operator to check its client id and secret.',
  });
});

test('without settings every provider says how to configure it', async (t) => {
  const { anonymous } = await startApi(t);
  const listed = (await anonymous.oauth.providers()).providers;
  assert.deepEqual(
    listed.map(({ provider, is_configured }) => [provider, is_configured]),
    providers.map((provider) => [provider, false]),
  );
  for (const { provider, hint } of listed) {
    assert.match(
      hint ?? '',
      new RegExp(`PADDOCK_OAUTH_${provider.toUpperCase()}_CLIENT_ID and PADDOCK_OAUTH_${provider.toUpperCase()}_CLIENT_SECRET`),
    );
    const begun = anonymous.oauth.authorize({ provider, redirect_uri: world.redirect_uri(provider) });
    await assert.rejects(begun, { code: 'provider_not_configured', message: hint });
  }
});

test('steps of signing in are counted, and the answer says when to come back', async (t) => {
  const { google } = world.servers;
  const { anonymous, origin } = await startApi(t, { oauth: { google: google.settings }, oauthAttempts: { address: 3, everybody: 100 } });
  const redirect_uri = world.redirect_uri('google');
  for (let tries = 0; tries < 3; tries++) await anonymous.oauth.authorize({ provider: 'google', redirect_uri });
  const answer = await fetch(`${origin}/api/v1/oauth/google/authorize?redirect_uri=${encodeURIComponent(redirect_uri)}`);
  assert.equal(answer.status, 429);
  assert.ok(Number(answer.headers.get('retry-after')) > 0);
});

test('neither codes, states, tokens nor the client secret are in the log, and the database has none in the clear', async () => {
  const there = somebody();
  const { authorization_url, back } = await world.leave('google', there);
  const [kept] = await world.sql<{ text: string }[]>`select string_agg(s::text, ' ') as text from oauth_states s`;
  assert.ok(kept && !kept.text.includes(back.state));
  await fetch(`${world.origin}/auth/callback/google?code=${back.code}&state=${back.state}`);
  const { token } = await world.anonymous.oauth.callback({ provider: 'google', code: back.code, state: back.state });
  const { back: wrong } = await world.leave('google', there);
  const failed = await world.anonymous.oauth
    .callback({ provider: 'google', code: 'CANARY-code', state: wrong.state })
    .catch((error: ApiError) => error);
  assert.ok(failed instanceof ApiError);
  assert.match(failed.message, /^Google did not confirm this sign-in/);
  const text = logged.join('\n');
  assert.ok(logged.length > 20);
  const challenge = new URL(authorization_url).searchParams.get('code_challenge') ?? '';
  for (const secret of ['CANARY', back.code, back.state, wrong.state, token, challenge]) assert.ok(!text.includes(secret), secret);
});
