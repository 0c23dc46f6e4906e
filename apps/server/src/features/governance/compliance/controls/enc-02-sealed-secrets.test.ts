import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { auditedPerson } from '../../../../../test/audit.ts';
import { foundBy, runControl, statusOf } from '../../../../../test/controls.ts';
import { apiOf, startApi } from '../../../../../test/server.ts';
import { sealWith } from '../../../../secrets/seal.ts';
import { sealedSecretControl } from './enc-02-sealed-secrets.ts';

interface Keys {
  current: string;
  keys: Record<string, string>;
}
const keysOf = async (dataDir: string) => JSON.parse(await readFile(join(dataDir, 'secret.key'), 'utf8')) as Keys;

test('values under an older key are found, and pass once they are given again', async (t) => {
  const first = await startApi(t);
  const { api, team_id } = await auditedPerson(first);
  const project = await api.projects.create({ name: 'shop' });
  const set = (of: typeof api, value: string) =>
    of.variables.set({
      project_id: project.id,
      environment: 'production',
      variables: [{ key: 'API_KEY', value, available_at_build: false }],
    });
  await set(api, 'sk-CANARY-1234567890');
  assert.equal(await statusOf(sealedSecretControl(first), team_id), 'passed');

  // The operator sets a new key and keeps the old one beside it.
  const second = await startApi(t, { database: { url: first.databaseUrl, drop: async () => undefined } });
  const [older, newer] = [await keysOf(first.dataDir), await keysOf(second.dataDir)];
  const current = { current: 'next', keys: { ...older.keys, next: newer.keys[newer.current] ?? '' } };
  const control = sealedSecretControl({ sql: second.sql, seal: sealWith(current) });
  const [found] = (await foundBy(control, team_id)).filter(({ type }) => type === 'variable');
  assert.match(found?.finding ?? '', /^API_KEY of shop, production in variables\.sealed is sealed with the older key/);
  assert.deepEqual(found?.fix, { text: 'Set the variable again: it is sealed anew.', path: `/projects/${project.id}/variables` });
  assert.ok(!JSON.stringify(await runControl(control, team_id)).includes('CANARY'));

  const { token } = await second.anonymous.accounts.login({ email: 'ada1@example.com', password: 'correct horse battery' });
  await set(apiOf(second.origin, token), 'sk-CANARY-1234567890');
  const renamed = sealedSecretControl({
    sql: second.sql,
    seal: sealWith({ current: newer.current, keys: { ...older.keys, ...newer.keys } }),
  });
  assert.deepEqual(
    (await foundBy(renamed, team_id)).filter(({ type }) => type === 'variable'),
    [],
  );

  const withoutOlder = sealedSecretControl({
    sql: first.sql,
    seal: sealWith({ current: 'other', keys: { other: newer.keys[newer.current] ?? '' } }),
  });
  assert.match((await foundBy(withoutOlder, team_id))[0]?.finding ?? '', /does not open in its own place: .* its key .* is gone/);
});

test('a value that was moved into the place of another is found, and every kind of sealed value opens in the place that the control takes for its own', async (t) => {
  const server = await startApi(t, { egressAllow: ['127.0.0.0/8'] });
  const { api, team_id } = await auditedPerson(server);
  const { id: project_id } = await api.projects.create({ name: 'shop' });
  for (const [key, value] of [
    ['ONE', 'first value'],
    ['TWO', 'second value'],
  ] as const)
    await api.variables.set({ project_id, environment: 'preview', variables: [{ key, value, available_at_build: false }] });
  await api.databases.create({
    project_id,
    environment: 'production',
    type: 'postgresql',
    url: 'postgres://ann:CANARY@127.0.0.1:9999/shop',
  });
  await api.channels.create({ name: 'ops', type: 'webhook', url: 'http://127.0.0.1:9999/', events: ['alert.opened'] });
  await api.twoFactor.setUp({ password: 'correct horse battery' });
  await api.dataSubjects.create({ kind: 'find', identifiers: ['ann@example.com'] });
  const control = sealedSecretControl(server);
  const { looked_at, resources } = await runControl(control, team_id);
  assert.deepEqual(
    resources.filter(({ status }) => status !== 'passed'),
    [],
    looked_at,
  );
  for (const column of [
    'variables.sealed',
    'databases.secret_sealed',
    'channels.sealed',
    'second_factors.sealed',
    'data_subject_requests.sealed',
    'mails.sealed',
  ])
    assert.ok(
      resources.some(({ id }) => id === column),
      `${column} was looked at`,
    );

  await server.sql`
    update variables
    set sealed = (select sealed from variables where key = 'ONE')
    where key = 'TWO'`;
  const [moved] = await foundBy(control, team_id);
  assert.match(moved?.finding ?? '', /^TWO of shop, preview .* does not open in its own place: it was changed or moved/);
  assert.equal(moved?.fix?.path, `/projects/${project_id}/variables?environment=preview`);
  await api.variables.set({ project_id, environment: 'preview', variables: [{ key: 'TWO', value: 'third', available_at_build: false }] });
  assert.equal(await statusOf(control, team_id), 'passed');
});

test('a column of sealed values that the control does not know reads as not verified', async (t) => {
  const server = await startApi(t);
  const { team_id } = await auditedPerson(server);
  await server.sql`create table later (sealed bytea)`;
  const [unknown] = await foundBy(sealedSecretControl(server), team_id, 'unverified');
  assert.match(unknown?.finding ?? '', /^The column later\.sealed holds sealed values that this check does not know/);
});
