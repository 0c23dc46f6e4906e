import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { zip } from '../../../test/archives.ts';
import { atEnd } from '../../../test/postgres.ts';
import { startApi } from '../../../test/server.ts';

let world: Awaited<ReturnType<typeof startApi>>;
before(async () => {
  world = await startApi({ after: atEnd });
});

const file = { file: zip({ 'server.js': '1' }), file_name: 'agent.zip' };
const ended = (id: string, isCurrent = false) =>
  world.sql`update deployments set status = ${isCurrent ? 'active' : 'stopped'}, is_current = ${isCurrent} where id = ${id}`;

test('a preview is promoted: its code is deployed to production, with its folder and start command', async () => {
  const { api } = await world.person();
  const preview = await api.deployments.create({ project_name: 'desk', environment: 'preview', start: 'node server.js', ...file });
  await ended(preview.id);
  const promoted = await api.deployments.redeploy({ id: preview.id, environment: 'production' });
  assert.deepEqual(
    [promoted.environment, promoted.source_deployment_id, promoted.trigger, promoted.source_name, promoted.project_id],
    ['production', preview.id, 'redeploy', 'agent.zip', preview.project_id],
  );
  const [row] = await world.sql`select settings from deployments where id = ${promoted.id}`;
  assert.deepEqual(row?.settings, { start: 'node server.js' });
  assert.equal((await api.deployments.redeploy({ id: promoted.id })).environment, 'production');
});

test('production keeps the kind of databases that it has, and takes that of the preview where nothing serves', async () => {
  const { api } = await world.person();
  const first = await api.deployments.create({ project_name: 'desk', ...file });
  await ended(first.id, true);
  const preview = await api.deployments.create({ project_name: 'desk', environment: 'preview', database_mode: 'managed', ...file });
  await ended(preview.id);
  assert.equal((await api.deployments.redeploy({ id: preview.id, environment: 'production' })).database_mode, 'none');
  await ended(first.id);
  assert.equal((await api.deployments.redeploy({ id: preview.id, environment: 'production' })).database_mode, 'managed');
});

test('a preview with databases of its own is not promoted while production has no addresses of any', async () => {
  const { api } = await world.person();
  const redis_url = 'redis://user:word@203.0.113.7:6379';
  const own = { project_name: 'desk', database_mode: 'byo' as const, redis_url, ...file };
  const preview = await api.deployments.create({ ...own, environment: 'preview' });
  await ended(preview.id);
  await assert.rejects(api.deployments.redeploy({ id: preview.id, environment: 'production' }), { code: 'input_invalid' });
  await ended((await api.deployments.create(own)).id);
  assert.equal((await api.deployments.redeploy({ id: preview.id, environment: 'production' })).database_mode, 'byo');
});

test('policies judge a promotion by production', async () => {
  const { api } = await world.person();
  const preview = await api.deployments.create({ project_name: 'desk', environment: 'preview', ...file });
  await ended(preview.id);
  await api.policies.create({ name: 'No production', status: 'active', rules: ['Allowed environments: preview'] });
  await assert.rejects(api.deployments.redeploy({ id: preview.id, environment: 'production' }), { code: 'policy_refused' });
  assert.equal((await api.deployments.redeploy({ id: preview.id })).environment, 'preview');
});
