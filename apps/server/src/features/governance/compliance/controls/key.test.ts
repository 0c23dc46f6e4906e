import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { checked } from '../../../../../test/compliance.ts';
import { atEnd } from '../../../../../test/postgres.ts';
import { startApi } from '../../../../../test/server.ts';
import { sealWith } from '../../../../secrets/seal.ts';
import { cryptoperiodControl } from './key-01-cryptoperiod.ts';

let world: Awaited<ReturnType<typeof startApi>>;
before(async () => {
  world = await startApi({ after: atEnd });
});

test('KEY-02: a key that is old, unused or without an end is found, and a rotated one that ends is not', async () => {
  const { api } = await world.person();
  const { key_info } = await api.apiKeys.create({ name: 'deploy', scopes: ['agents:read'] });
  const endless = await checked(api, 'KEY-02');
  assert.deepEqual([endless.status, endless.ids], ['failed', [key_info.id]]);
  assert.match(endless.findings.join(), /never expires/);
  await api.apiKeys.revoke({ id: key_info.id });
  const ends = await api.apiKeys.create({ name: 'deploy', scopes: ['agents:read'], expires_in_days: 60 });
  assert.equal((await checked(api, 'KEY-02')).status, 'passed');
  await world.sql`update api_keys set created_at = now() - interval '100 days' where id = ${ends.key_info.id}`;
  assert.match((await checked(api, 'KEY-02')).findings.join(), /made 100 days ago.*Nothing has used the key for 100 days/);
  await api.apiKeys.rotate({ id: ends.key_info.id });
  assert.equal((await checked(api, 'KEY-02')).status, 'passed');
});

test('KEY-03: a working key that stands in clear in the table is found until it is revoked', async () => {
  const { api } = await world.person();
  const { api_key, key_info } = await api.apiKeys.create({ name: 'leaked', scopes: ['agents:read'] });
  assert.equal((await checked(api, 'KEY-03')).status, 'passed');
  const copy = await api.apiKeys.create({ name: api_key, scopes: ['agents:read'] });
  const found = await checked(api, 'KEY-03');
  assert.deepEqual([found.status, found.ids], ['failed', [copy.key_info.id]]);
  assert.ok(!JSON.stringify(found.resources).includes(api_key), 'the evidence does not repeat the key');
  await api.apiKeys.revoke({ id: key_info.id });
  assert.equal((await checked(api, 'KEY-03')).status, 'passed');
  await world.sql`alter table api_keys add column recoverable text`;
  assert.match((await checked(api, 'KEY-03')).findings.join(), /column recoverable may hold keys/);
  await world.sql`alter table api_keys drop column recoverable`;
  assert.equal((await checked(api, 'KEY-03')).status, 'passed');
});

test('KEY-01: a key older than its period is found, and one whose age nobody knows is not verified', async () => {
  const day = 86_400_000;
  const named = (days: number) => `k${(Date.now() - days * day).toString(36)}`;
  const seal = (id: string) => sealWith({ current: id, keys: { [id]: 'a'.repeat(43) } });
  const statusOf = async (id: string) => {
    const control = cryptoperiodControl({ sql: world.sql, seal: seal(id) });
    assert.equal(control.of, 'installation');
    if (control.of !== 'installation') return undefined;
    return (await control.check(new AbortController().signal)).resources[0]?.status;
  };
  assert.deepEqual([await statusOf(named(400)), await statusOf(named(3)), await statusOf('env')], ['failed', 'passed', 'unverified']);
  const { api } = await world.person();
  assert.equal((await checked(api, 'KEY-01')).status, 'passed', 'this installation has made its key just now');
});
