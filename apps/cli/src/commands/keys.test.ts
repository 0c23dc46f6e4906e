import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scope } from '@paddock/contract';
import { run, scriptedApi } from '../databases/scripted-api.ts';

const key = (id: string, scopes: Scope[]) => ({
  id,
  name: 'ops',
  key_prefix: 'pk_live_abcd',
  key_suffix: 'wxyz',
  is_test_key: false,
  scopes,
  is_active: true,
  created_at: '2026-01-31T12:00:00.000Z',
  expires_at: null,
  last_used_at: null,
});

test('a key with the scopes of keys lists, creates, rotates and revokes others without a password', async (t) => {
  const own: Scope[] = ['keys:read', 'keys:write', 'agents:read'];
  const created: Record<string, unknown>[] = [];
  const made = { api_key: 'pk_live_new', key_info: key('key_new', ['agents:read']), warning: 'Copy it.' };
  const { url, asked } = await scriptedApi(t, {
    'GET /api-keys/validate': () => ({ kind: 'api_key', scopes: own, key_info: key('key_own', own) }),
    'GET /api-keys': () => ({ api_keys: [key('key_other', ['agents:read'])], next_cursor: null }),
    'POST /api-keys': (input) => (created.push(input), made),
    'POST /api-keys/key_other/rotate': () => made,
    'DELETE /api-keys/key_other': () => ({}),
  });
  assert.match((await run(url, ['keys', 'list'])).out, /key_other/);
  assert.match((await run(url, ['keys', 'create', 'ci', '--scope', 'agents:read', '--expires', '30'])).out, /pk_live_new/);
  await run(url, ['keys', 'create', 'ci']);
  assert.deepEqual(
    created.map(({ scopes, expires_in_days }) => [scopes, expires_in_days]),
    [
      [['agents:read'], 30],
      [own, undefined],
    ],
  );
  assert.match((await run(url, ['keys', 'rotate', 'key_other'])).out, /pk_live_new/);
  assert.equal((await run(url, ['keys', 'revoke', 'key_other'])).code, 0);
  assert.ok(!asked.includes('POST /auth/login'), asked.join());
});

test('a key without the scope asks for the address and password of a person', async (t) => {
  const { url, asked } = await scriptedApi(t, {
    'GET /api-keys/validate': () => ({ kind: 'api_key', scopes: ['agents:read'], key_info: key('key_own', ['agents:read']) }),
  });
  const { code, notes } = await run(url, ['keys', 'list']);
  assert.notEqual(code, 0);
  assert.match(notes, /e-mail|E-mail/);
  assert.ok(!asked.includes('GET /api-keys'));
});
