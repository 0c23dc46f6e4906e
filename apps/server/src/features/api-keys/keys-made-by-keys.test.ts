import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Scope } from '@paddock/contract';
import { atEnd } from '../../../test/postgres.ts';
import { type Api, apiOf, startApi } from '../../../test/server.ts';
import { newId } from '../../ids.ts';
import { keyEnds, keyHash, newKey } from './key-form.ts';
import { apiKeyStore } from './store.ts';

let world: Awaited<ReturnType<typeof startApi>>;
before(async () => {
  world = await startApi({ after: atEnd });
});

type Input = Parameters<Api['apiKeys']['create']>[0];
const managing: Scope[] = ['keys:read', 'keys:write', 'agents:read', 'projects:read'];

/** A team, and a program with a key that manages keys. */
async function teamWithKey(given: Partial<Input> = {}) {
  const person = await world.person();
  const { api_key, key_info } = await person.api.apiKeys.create({ name: 'manager', scopes: managing, ...given });
  return { person, key: apiOf(world.origin, api_key), key_info };
}
const use = (api_key: string) => apiOf(world.origin, api_key).apiKeys.validate();
const exceeds = { code: 'api_key_exceeds_own', status: 403 };

test('a key with keys:write creates keys that may do as much as itself at most', async () => {
  const { key, key_info } = await teamWithKey({ expires_in_days: 90 });
  const made = await key.apiKeys.create({ name: 'worker', scopes: ['agents:read', 'keys:write'], expires_in_days: 90 });
  assert.deepEqual([made.key_info.created_by_key, made.key_info.created_by], [key_info.id, 'Ada']);
  assert.deepEqual((await use(made.api_key)).scopes, ['agents:read', 'keys:write']);
  const refused: [Partial<Input>, RegExp][] = [
    [{ scopes: ['agents:read', 'agents:delete'] }, /lacks agents:delete/],
    [{ scopes: ['agents:read'], expires_in_days: 91 }, /at most/],
    [{ scopes: ['agents:read'] }, /at most/],
    [{}, /lacks agents:write/], // the default has a scope that the key lacks
  ];
  for (const [given, message] of refused) {
    const wanted = { name: 'more', ...('expires_in_days' in given || given.scopes?.length === 1 ? {} : { expires_in_days: 1 }), ...given };
    await assert.rejects(key.apiKeys.create(wanted), { ...exceeds, message });
  }
  assert.equal((await key.apiKeys.list()).api_keys.length, 2, 'nothing was created');
});

test('a test key creates test keys alone, and a key that was made by a key is bound in the same way', async () => {
  const { key } = await teamWithKey({ is_test: true });
  await assert.rejects(key.apiKeys.create({ name: 'live', scopes: ['agents:read'] }), exceeds);
  const { api_key } = await key.apiKeys.create({ name: 'test', is_test: true, scopes: ['keys:write', 'agents:read'] });
  const child = apiOf(world.origin, api_key);
  await assert.rejects(child.apiKeys.create({ name: 'back', is_test: true, scopes: ['projects:read'] }), exceeds);
  await assert.rejects(child.apiKeys.list(), { code: 'scope_missing' });
});

test('a key rotates another one of its person only if that may do no more, and sees no secret of it', async () => {
  const { person, key, key_info } = await teamWithKey();
  const weak = await person.api.apiKeys.create({ name: 'weak', scopes: ['agents:read'] });
  const mighty = await person.api.apiKeys.create({ name: 'mighty', scopes: ['agents:delete'] });
  const shown = JSON.stringify([await key.apiKeys.list(), await key.apiKeys.get({ id: mighty.key_info.id })]);
  for (const { api_key } of [weak, mighty]) assert.ok(!shown.includes(api_key.slice(12, -4)));
  await assert.rejects(key.apiKeys.rotate({ id: mighty.key_info.id }), exceeds);
  assert.equal((await use(mighty.api_key)).kind, 'api_key', 'it works on');
  const fresh = await key.apiKeys.rotate({ id: weak.key_info.id });
  assert.deepEqual([fresh.key_info.scopes, fresh.key_info.created_by_key], [['agents:read'], null]);
  await assert.rejects(use(weak.api_key), { code: 'not_signed_in' });

  const colleague = await world.person();
  const [{ user_id }] = await world.sql<[{ user_id: string }]>`select id as user_id from users where email = ${colleague.email}`;
  const theirs = await person.api.apiKeys.create({ name: 'theirs', scopes: ['agents:read'] });
  await world.sql`insert into team_members (team_id, user_id) select team_id, ${user_id} from api_keys where id = ${key_info.id}`;
  await world.sql`update api_keys set user_id = ${user_id} where id = ${theirs.key_info.id}`;
  await assert.rejects(key.apiKeys.rotate({ id: theirs.key_info.id }), { ...exceeds, message: /another person/ });
  await key.apiKeys.revoke({ id: theirs.key_info.id });
});

test('keys of another team are not there for a key, whatever its scopes', async () => {
  const [{ key }, other] = [await teamWithKey(), await teamWithKey()];
  const { id } = other.key_info;
  for (const call of [key.apiKeys.get, key.apiKeys.rotate, key.apiKeys.revoke])
    await assert.rejects(call({ id }), { code: 'api_key_not_found', status: 404 });
  assert.ok((await key.apiKeys.list()).api_keys.every((each) => each.id !== id));
});

test('revoking a key ends all keys that came of it, by creation and rotation, and no others', async () => {
  const { person, key, key_info } = await teamWithKey();
  const other = await person.api.apiKeys.create({ name: 'other', scopes: ['agents:read'] });
  const child = await key.apiKeys.create({ name: 'child', scopes: ['keys:write', 'agents:read'] });
  const grandchild = await apiOf(world.origin, child.api_key).apiKeys.create({ name: 'grandchild', scopes: ['agents:read'] });
  const rotated = await key.apiKeys.rotate({ id: child.key_info.id });
  const next = await key.apiKeys.rotate({ id: key_info.id });
  for (const { api_key } of [next, rotated, grandchild]) await use(api_key);
  await person.api.apiKeys.revoke({ id: next.key_info.id });
  for (const { api_key } of [next, rotated, grandchild]) await assert.rejects(use(api_key), { code: 'not_signed_in' });
  await use(other.api_key);
});

test('a key that was revoked while its request was under way creates and rotates nothing', async () => {
  const { person, key_info } = await teamWithKey();
  const target = await person.api.apiKeys.create({ name: 'target', scopes: ['agents:read'] });
  const [{ team_id, user_id }] = await world.sql<
    [{ team_id: string; user_id: string }]
  >`select team_id, user_id from api_keys where id = ${key_info.id}`;
  await person.api.apiKeys.revoke({ id: key_info.id });
  const store = apiKeyStore(world.sql);
  const fresh = (isTest = false) => {
    const text = newKey(isTest);
    return { id: newId('key'), token_hash: keyHash(text), ...keyEnds(text) };
  };
  const rules = { user_id, name: 'late', is_test_key: false, scopes: ['agents:read' as const], expires_in_days: null };
  const by = key_info.id;
  await assert.rejects(
    store.create(team_id, { key: fresh(), rules, by }, async () => {}),
    { code: 'not_signed_in' },
  );
  await assert.rejects(
    store.rotate(team_id, { id: target.key_info.id, newKey: fresh, by }, async () => {}),
    { code: 'not_signed_in' },
  );
  await use(target.api_key);
});

test('channels are automated by a key of their scopes, and reading does not change them', async () => {
  const person = await world.person();
  const keyOf = async (scopes: Scope[]) => apiOf(world.origin, (await person.api.apiKeys.create({ name: 'ops', scopes })).api_key);
  const [writer, reader] = [await keyOf(['channels:read', 'channels:write']), await keyOf(['channels:read'])];
  const { channel } = await writer.channels.create({ name: 'ops', type: 'webhook', url: 'https://93.184.216.34/hook' });
  assert.deepEqual(await reader.channels.get({ id: channel.id }), channel);
  await assert.rejects(reader.channels.delete({ id: channel.id }), { code: 'scope_missing' });
  await assert.rejects(reader.channels.rotateSecret({ id: channel.id }), { code: 'scope_missing' });
  await writer.channels.update({ id: channel.id, is_active: false });
  await writer.channels.delete({ id: channel.id });
});
