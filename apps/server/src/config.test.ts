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
