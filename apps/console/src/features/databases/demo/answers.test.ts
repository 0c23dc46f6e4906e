import { metricsPoints, metricsRanges } from '@paddock/contract/limits';
import { expect, test } from 'vitest';
import { demoApi } from '../../../demo/demo-api.ts';
import { createDemoWorld } from '../../../demo/demo-world.ts';

const start = () => demoApi(createDemoWorld());
const zip = { file: new File(['PK'], 'agent.zip'), file_name: 'agent.zip' };
async function projectNamed(api: ReturnType<typeof start>, name: string) {
  const { projects } = await api.projects.list();
  return projects.find((each) => each.name === name)?.id ?? '';
}

test('the samples show every state but one on the way out, both types, both modes and a copy, on the ports of the spec', async () => {
  const { databases, total } = await start().databases.list();
  expect(total).toBe(databases.length);
  expect(new Set(databases.map(({ status }) => status))).toEqual(
    new Set(['provisioning', 'available', 'stopped', 'failed', 'unreachable']),
  );
  for (const { type, port } of databases) expect(port).toBe(type === 'redis' ? 6379 : 5432);
  expect(databases.filter(({ is_attached }) => !is_attached)).toHaveLength(1);
  const full = databases.find(
    ({ size_bytes, storage_limit_bytes }) => Math.floor((100 * (size_bytes ?? 0)) / (storage_limit_bytes ?? 1)) === 84,
  );
  const { alerts, open } = await start().alerts.list({ resolved: 'false' });
  expect(open).toBe(alerts.filter(({ snoozed_until }) => snoozed_until === null).length);
  expect(alerts.map(({ database_id }) => database_id)).toContain(full?.id);
});

test.each(metricsRanges)('a series over %s has as many points as the spec says, evenly spaced, with its gap', async (time_range) => {
  const { databases } = start();
  const id =
    (await databases.list()).databases.find(({ type, is_attached, status }) => type === 'redis' && is_attached && status === 'available')
      ?.id ?? '';
  const { points, step_s } = await databases.metrics({ id, time_range });
  expect(points).toHaveLength(metricsPoints[time_range]);
  const times = points.map(({ at }) => Date.parse(at));
  expect(new Set(times.slice(1).map((at, index) => at - (times[index] ?? 0)))).toEqual(new Set([step_s * 1000]));
  expect(points.some(({ keys }) => keys !== null)).toBe(true);
});

test('managed mode provisions both types once; byo keeps addresses and asks for one where none is stored', async () => {
  const api = start();
  const project_id = await projectNamed(api, 'nightly-eval');
  const deploy = (rest: object) => api.deployments.create({ project_id, environment: 'preview', ...rest, ...zip });
  await expect(deploy({ database_mode: 'byo' })).rejects.toMatchObject({ code: 'input_invalid' });
  await deploy({ database_mode: 'byo', redis_url: 'redis://cache.example.org' });
  const made = await deploy({ database_mode: 'managed' });
  await api.deployments.redeploy({ id: made.id });
  const { databases } = await api.databases.list({ project_id, environment: 'preview' });
  expect(databases.map(({ type, mode }) => `${mode} ${type}`).sort()).toEqual(['byo redis', 'managed postgresql', 'managed redis']);
  const detail = await api.deployments.get({ id: made.id });
  expect(detail.databases.map(({ env_var }) => env_var).sort()).toEqual(['DATABASE_URL', 'REDIS_URL']);
  await api.projects.delete({ id: project_id });
  expect((await api.databases.list({ project_id })).total).toBe(0);
});

test('backups, restores, rotations and addresses change what is there', async () => {
  const api = start();
  const all = (await api.databases.list()).databases;
  const database = all.find(
    ({ type, mode, status, name }) => type === 'postgresql' && mode === 'managed' && status === 'available' && name === 'main',
  );
  const id = database?.id ?? '';
  const backup = await api.databases.createBackup({ id });
  await expect(api.databases.restore({ id, backup_id: backup.id, into: 'new' })).rejects.toMatchObject({ code: 'backup_not_available' });
  const { backups } = await api.databases.backups({ id });
  expect(backups[0]?.id).toBe(backup.id);
  const good = backups.find(({ status }) => status === 'available')?.id ?? '';
  const copy = await api.databases.restore({ id, backup_id: good, into: 'new' });
  expect([copy.is_attached, copy.status]).toEqual([false, 'provisioning']);
  const before = await api.databases.connectionString({ id });
  await api.databases.rotatePassword({ id });
  expect((await api.databases.connectionString({ id })).connection_string).not.toBe(before.connection_string);
  expect((await api.databases.restore({ id, backup_id: good, into: 'same' })).status).toBe('restoring');
  await api.databases.delete({ id });
  await expect(api.databases.get({ id })).rejects.toMatchObject({ code: 'database_not_found' });

  await expect(api.databases.check({ type: 'redis', url: 'postgresql://db.example.org/x' })).rejects.toMatchObject({
    code: 'input_invalid',
  });
  await expect(api.databases.check({ type: 'redis', url: 'redis://127.0.0.1:6379' })).rejects.toMatchObject({
    code: 'database_address_refused',
  });
  const byo = all.find(({ mode }) => mode === 'byo');
  const moved = await api.databases.update({
    id: byo?.id ?? '',
    url: byo?.type === 'redis' ? 'rediss://new.example.org:6390' : 'postgres://new.example.org:6390/x',
  });
  expect([moved.host, moved.port]).toEqual(['new.example.org', 6390]);
});
