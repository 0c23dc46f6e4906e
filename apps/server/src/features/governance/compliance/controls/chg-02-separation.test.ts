import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditedPerson } from '../../../../../test/audit.ts';
import { foundBy, runControl, statusOf } from '../../../../../test/controls.ts';
import { startApi } from '../../../../../test/server.ts';
import { sealWith } from '../../../../secrets/seal.ts';
import { separationControl } from './chg-02-separation.ts';

const variable = (key: string, value: string) => ({ key, value, available_at_build: false });

test('a secret that preview has from production is found without a word of it, and passes once preview has its own', async (t) => {
  const server = await startApi(t);
  const { api, team_id } = await auditedPerson(server);
  const { id: project_id } = await api.projects.create({ name: 'shop' });
  const { id: other } = await api.projects.create({ name: 'blog' });
  const control = separationControl(server);
  const set = (project: string, environment: 'production' | 'preview', ...variables: ReturnType<typeof variable>[]) =>
    api.variables.set({ project_id: project, environment, variables });
  await set(
    project_id,
    'production',
    variable('API_KEY', 'CANARY-1234'),
    variable('LOG_LEVEL', 'information'),
    variable('REGION', 'eu-central-1'),
  );
  await set(
    project_id,
    'preview',
    variable('LOG_LEVEL', 'information'),
    variable('REGION', 'eu-central-1'),
    variable('API_KEY', 'CANARY-5678'),
  );
  assert.equal(await statusOf(control, team_id), 'passed', 'settings may be the same');

  await set(other, 'preview', variable('UPSTREAM', 'https://CANARY.example/'), variable('PAYMENT_KEY', 'CANARY-1234'));
  const outcome = await runControl(control, team_id);
  const [shared] = outcome.resources;
  assert.equal(shared?.finding, 'PAYMENT_KEY of blog in preview has the value of API_KEY of shop in production.');
  assert.equal(shared?.fix?.path, `/projects/${other}/variables?environment=preview`);
  assert.ok(!JSON.stringify(outcome).includes('CANARY'));
  await set(other, 'preview', variable('PAYMENT_KEY', 'CANARY-9999'));
  assert.equal(await statusOf(control, team_id), 'passed');

  // Neither name says what it is, but both values do.
  await set(project_id, 'production', variable('FIRST', 'ghp16C7e42F292c6912E7710c838347Ae178B4a'));
  await set(project_id, 'preview', variable('SECOND', 'ghp16C7e42F292c6912E7710c838347Ae178B4a'));
  assert.match((await foundBy(control, team_id))[0]?.finding ?? '', /^SECOND of shop in preview has the value of FIRST/);
});

test('a database of production that preview is attached to is found, whoever signs in to it, and passes once preview has its own', async (t) => {
  const server = await startApi(t, { egressAllow: ['127.0.0.0/8'] });
  const { api, team_id } = await auditedPerson(server);
  const { id: project_id } = await api.projects.create({ name: 'shop' });
  const control = separationControl(server);
  const bring = (environment: 'production' | 'preview', url: string) =>
    api.databases.create({ project_id, environment, type: 'postgresql', url });
  await bring('production', 'postgres://live:CANARY@127.0.0.1:5999/shop?sslmode=disable');
  const { id } = await bring('preview', 'postgresql://test:CANARY2@127.0.0.1:5999/shop');
  const [shared] = await foundBy(control, team_id);
  assert.equal(shared?.finding, 'The postgresql database of shop in preview is the database of shop in production.');
  assert.deepEqual([shared?.type, shared?.id, shared?.fix?.path], ['database', id, `/databases?open=${id}`]);
  await api.databases.update({ id, url: 'postgresql://test:CANARY2@127.0.0.1:5999/shop_preview' });
  assert.equal(await statusOf(control, team_id), 'passed');
  // The same database, given as a variable.
  await api.variables.set({
    project_id,
    environment: 'production',
    variables: [variable('ORDERS_DSN', 'postgres://a:b@db.example:5432/orders')],
  });
  await api.variables.set({ project_id, environment: 'preview', variables: [variable('ORDERS', 'postgres://c:d@DB.example/orders')] });
  assert.match((await foundBy(control, team_id))[0]?.finding ?? '', /^ORDERS of shop in preview has the value of ORDERS_DSN/);
});

test('values whose key is gone were not compared, and say so', async (t) => {
  const server = await startApi(t);
  const { api, team_id } = await auditedPerson(server);
  const { id: project_id } = await api.projects.create({ name: 'shop' });
  await api.variables.set({ project_id, environment: 'production', variables: [variable('API_KEY', 'a value of some length')] });
  const key = Buffer.alloc(32, 7).toString('base64');
  const [closed] = await foundBy(
    separationControl({ sql: server.sql, seal: sealWith({ current: 'k', keys: { k: key } }) }),
    team_id,
    'unverified',
  );
  assert.equal(closed?.finding, 'API_KEY of shop in production cannot be opened, so it was not compared.');
});
