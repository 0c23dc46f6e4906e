import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from './config.ts';

test('without any variable there is a working configuration on loopback', () => {
  const config = readConfig({});
  assert.deepEqual([config.host, config.port, config.gateway_port, config.public_url], ['127.0.0.1', 4000, 4001, 'http://localhost:4000']);
  assert.equal(config.agent_url('demo'), 'http://demo.localhost:4001');
});

test('every wrong variable is named at once, with what it may hold', () => {
  assert.throws(
    () => readConfig({ PADDOCK_PORT: 'many', PADDOCK_DATABASE_URL: 'mysql://x', PADDOCK_ROLE: 'king' }),
    (error: Error) => {
      for (const name of ['PADDOCK_PORT', 'PADDOCK_DATABASE_URL', 'PADDOCK_ROLE']) assert.match(error.message, new RegExp(name));
      assert.match(error.message, /must begin with postgres:\/\//);
      return true;
    },
  );
});

test('an empty variable means the same as none, and --role wins over the environment', () => {
  assert.equal(readConfig({ PADDOCK_PORT: '' }).port, 4000);
  assert.equal(readConfig({ PADDOCK_ROLE: 'api' }, ['node', 'main.ts', '--role', 'worker']).role, 'worker');
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
