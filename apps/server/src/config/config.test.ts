import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usualBuildMemory } from './build-settings.ts';
import { readConfig } from './config.ts';

test('without any variable there is a working configuration on loopback', () => {
  const config = readConfig({});
  assert.deepEqual([config.host, config.port, config.gatewayPort, config.publicUrl], ['127.0.0.1', 4000, 4001, 'http://localhost:4000']);
  assert.equal(config.agentUrl('demo'), 'http://demo.localhost:4001');
});

test('a build step gets a quarter of the machine unless the operator says otherwise, between 2 and 4 GB', () => {
  const gb = 1024 ** 3;
  assert.deepEqual(
    [2, 8, 12, 64].map((size) => usualBuildMemory(size * gb)),
    [2048, 2048, 3072, 4096],
  );
  assert.equal(readConfig({}).buildLimits.memory_mb, usualBuildMemory());
  assert.equal(readConfig({ PADDOCK_BUILD_MEMORY_MB: '512' }).buildLimits.memory_mb, 512);
});

test('every wrong variable is named at once, with what it may hold', () => {
  assert.throws(
    () => readConfig({ PADDOCK_PORT: 'many', PADDOCK_DATABASE_URL: 'mysql://x', PADDOCK_ROLE: 'king', PADDOCK_GATEWAY_PROCESSES: '0' }),
    (error: Error) => {
      for (const name of ['PADDOCK_PORT', 'PADDOCK_DATABASE_URL', 'PADDOCK_ROLE', 'PADDOCK_GATEWAY_PROCESSES'])
        assert.match(error.message, new RegExp(name));
      assert.match(error.message, /must begin with postgres:\/\//);
      return true;
    },
  );
});

test('a single wrong variable is one sentence, with what it must be and, of a number, what it is', () => {
  const message = (environment: NodeJS.ProcessEnv) => {
    try {
      readConfig(environment);
      return 'accepted';
    } catch (error) {
      return (error as Error).message;
    }
  };
  assert.equal(message({ PADDOCK_PORT: 'abc' }), 'Wrong configuration: PADDOCK_PORT: must be a number, not “abc”');
  assert.equal(message({ PADDOCK_PORT: '80.5' }), 'Wrong configuration: PADDOCK_PORT: must be a whole number, not “80.5”');
  assert.equal(message({ PADDOCK_PORT: '70000' }), 'Wrong configuration: PADDOCK_PORT: must be at most 65535, not “70000”');
  assert.equal(message({ PADDOCK_TRIAL_S: '-1\u001b[2J' }), 'Wrong configuration: PADDOCK_TRIAL_S: must be a number, not “-1”');
  assert.doesNotMatch(message({ PADDOCK_SECRET_KEY: 'canary-of-a-key' }), /canary/);
});

test('console and gateway have a port each, unless the server has no gateway or the system chooses', () => {
  const both = (PADDOCK_PORT: string, PADDOCK_ROLE = 'all') =>
    readConfig({ PADDOCK_PORT, PADDOCK_GATEWAY_PORT: PADDOCK_PORT, PADDOCK_ROLE });
  assert.throws(() => both('4000'), /^Error: Wrong configuration: PADDOCK_GATEWAY_PORT: must differ from PADDOCK_PORT, and both are 4000/);
  assert.throws(() => readConfig({ PADDOCK_PORT: '4001' }), /must differ from PADDOCK_PORT/);
  assert.equal(both('0').gatewayPort, 0);
  for (const role of ['api', 'gateway']) assert.equal(both('4000', role).port, 4000);
});

test('archives are in a folder of this machine', () => {
  const refuses = (PADDOCK_BLOB_URL: string, message: RegExp) => assert.throws(() => readConfig({ PADDOCK_BLOB_URL }), { message });
  refuses('s3://bucket/x', /PADDOCK_BLOB_URL: must be a folder/);
  refuses('file://host/x', /PADDOCK_BLOB_URL: must be/);
});

test('an empty variable means the same as none, and --role wins over the environment', () => {
  assert.equal(readConfig({ PADDOCK_PORT: '' }).port, 4000);
  assert.equal(readConfig({ PADDOCK_ROLE: 'api' }, ['node', 'main.ts', '--role', 'worker']).role, 'worker');
});

test('lists of networks take addresses and prefixes, and name the entry that is neither', () => {
  assert.deepEqual(readConfig({ PADDOCK_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,2001:db8::/32' }).trustedProxies, [
    '127.0.0.1',
    '10.0.0.0/8',
    '2001:db8::/32',
  ]);
  assert.deepEqual(readConfig({ PADDOCK_EGRESS_ALLOW: '10.0.5.0/24' }).egressAllow, ['10.0.5.0/24']);
  for (const entry of ['loopback', '10.0.0.0/33', '10.0.0.0/255.0.0.0', '10.0.0.0/', '10.1'])
    for (const name of ['PADDOCK_TRUSTED_PROXIES', 'PADDOCK_EGRESS_ALLOW'])
      assert.throws(
        () => readConfig({ [name]: `10.0.0.1,${entry}` }),
        (error: Error) => error.message.includes(`${name}: '${entry}' is neither`),
      );
  assert.throws(() => readConfig({ PADDOCK_EGRESS_ALLOW: 'fd00::/8' }), /neither an IPv4 address nor a network such as 10\.1\.0\.0\/16/);
});

test('a provider needs its id and its secret, and an issuer that keeps secrets to itself', () => {
  const google = { PADDOCK_OAUTH_GOOGLE_CLIENT_ID: 'id', PADDOCK_OAUTH_GOOGLE_CLIENT_SECRET: 'secret' };
  const gitlab = { PADDOCK_OAUTH_GITLAB_CLIENT_ID: 'id', PADDOCK_OAUTH_GITLAB_CLIENT_SECRET: 'secret' };
  assert.deepEqual(readConfig({}).oauth, {});
  assert.deepEqual(readConfig({ ...google, PADDOCK_OAUTH_SLACK_ISSUER: 'https://slack.example' }).oauth, {
    google: { client_id: 'id', client_secret: 'secret', issuer: undefined },
  });
  assert.throws(() => readConfig({ PADDOCK_OAUTH_GOOGLE_CLIENT_ID: 'id' }), /PADDOCK_OAUTH_GOOGLE_CLIENT_SECRET: must be set too/);
  assert.throws(() => readConfig({ PADDOCK_OAUTH_SLACK_CLIENT_SECRET: 'x' }), /PADDOCK_OAUTH_SLACK_CLIENT_ID: must be set too/);
  const issuerOf = (issuer: string) => readConfig({ ...gitlab, PADDOCK_OAUTH_GITLAB_ISSUER: issuer }).oauth.gitlab?.issuer;
  assert.equal(issuerOf('https://gitlab.example/git/'), 'https://gitlab.example/git');
  for (const issuer of ['http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080']) assert.equal(issuerOf(issuer), issuer);
  for (const issuer of [
    'http://gitlab.example',
    'http://127.0.0.1.evil.example',
    'ftp://x.example',
    'https://u:p@x.example',
    'https://x.example?a=b',
    'x',
  ])
    assert.throws(() => issuerOf(issuer), /PADDOCK_OAUTH_GITLAB_ISSUER/, issuer);
});

test('limits of plans bind where the operator says so, and where payments go through Stripe', () => {
  const stripe = { PADDOCK_STRIPE_SECRET_KEY: 'sk_test_canary123', PADDOCK_STRIPE_WEBHOOK_SECRET: 'whsec_canary123' };
  const bind = (env: Record<string, string>) => {
    const { plansBind, databaseStorage } = readConfig(env);
    return [plansBind, databaseStorage.by_plan, databaseStorage.bytes];
  };
  assert.deepEqual(bind({}), [false, false, null]);
  assert.deepEqual(bind({ PADDOCK_PLAN_LIMITS: 'enforce' }), [true, true, null]);
  assert.deepEqual(bind(stripe), [true, true, null]);
  assert.deepEqual(bind({ ...stripe, PADDOCK_PLAN_LIMITS: 'show', PADDOCK_DATABASE_STORAGE_MB: '16' }), [true, false, 16 * 1024 ** 2]);
});

test('mail comes from the name of the public address, and a wrong mail setting is named without its password', () => {
  assert.equal(readConfig({}).mailFrom, 'Paddock <paddock@localhost>');
  assert.equal(readConfig({ PADDOCK_PUBLIC_URL: 'http://192.0.2.7:4000' }).mailFrom, 'Paddock <paddock@localhost>');
  assert.equal(readConfig({ PADDOCK_PUBLIC_URL: 'https://paddock.example' }).mailFrom, 'Paddock <paddock@paddock.example>');
  assert.equal(readConfig({ PADDOCK_MAIL_FROM: 'The team <a@b.example>' }).mailFrom, 'The team <a@b.example>');
  for (const wrong of ['nobody', 'a@b.example\r\nBcc: c@d.example', 'a@b.example, c@d.example', '<a@b.example'])
    assert.throws(() => readConfig({ PADDOCK_MAIL_FROM: wrong }), /PADDOCK_MAIL_FROM/, wrong);
  for (const wrong of ['https://user:secret@mail.example', 'mail.example:25', 'smtp://'])
    assert.throws(
      () => readConfig({ PADDOCK_SMTP_URL: wrong }),
      (error: Error) => /PADDOCK_SMTP_URL: must be smtp/.test(error.message) && !error.message.includes('secret'),
    );
});

test('Stripe needs both its secrets, a live key goes to Stripe alone, and no message repeats a secret', () => {
  const keys = { PADDOCK_STRIPE_SECRET_KEY: 'sk_test_canary123', PADDOCK_STRIPE_WEBHOOK_SECRET: 'whsec_canary123' };
  assert.equal(readConfig({}).stripe, undefined);
  assert.deepEqual(readConfig(keys).stripe, { secret_key: 'sk_test_canary123', webhook_secret: 'whsec_canary123', api_url: undefined });
  const refuses = (env: Record<string, string>, message: RegExp) =>
    assert.throws(
      () => readConfig(env),
      (error: Error) => message.test(error.message) && !error.message.includes('canary'),
    );
  refuses({ PADDOCK_STRIPE_SECRET_KEY: keys.PADDOCK_STRIPE_SECRET_KEY }, /PADDOCK_STRIPE_WEBHOOK_SECRET: must be set too/);
  refuses({ PADDOCK_STRIPE_WEBHOOK_SECRET: keys.PADDOCK_STRIPE_WEBHOOK_SECRET }, /PADDOCK_STRIPE_SECRET_KEY: must be set too/);
  refuses({ ...keys, PADDOCK_STRIPE_SECRET_KEY: 'pk_test_canary123' }, /PADDOCK_STRIPE_SECRET_KEY: must be a secret key/);
  refuses({ ...keys, PADDOCK_STRIPE_WEBHOOK_SECRET: 'canary123' }, /PADDOCK_STRIPE_WEBHOOK_SECRET: must be the signing secret/);
  assert.equal(readConfig({ ...keys, PADDOCK_STRIPE_API_URL: 'http://127.0.0.1:12111' }).stripe?.api_url, 'http://127.0.0.1:12111');
  for (const wrong of ['http://stripe.example', 'https://stripe.example/v1', 'ftp://127.0.0.1', 'https://canary@stripe.example'])
    refuses({ ...keys, PADDOCK_STRIPE_API_URL: wrong }, /PADDOCK_STRIPE_API_URL: must be/);
  const live = { ...keys, PADDOCK_STRIPE_SECRET_KEY: 'rk_live_canary123' };
  assert.equal(readConfig(live).stripe?.secret_key, 'rk_live_canary123');
  refuses({ ...live, PADDOCK_STRIPE_API_URL: 'https://stripe.example' }, /PADDOCK_STRIPE_API_URL: takes no live key/);
});
