import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ApiError } from '@paddock/contract/errors';
import { zip } from '../../../test/archives.ts';
import { countingAgent } from '../../../test/database-agent.ts';
import { reaches, startPlatform, until } from '../../../test/platform.ts';

/** A folder with links to the programs on PATH, without those of Redis. */
function programsWithoutRedis(t: { after: (end: () => void) => void }): string {
  const programs = mkdtempSync(join(tmpdir(), 'paddock-programs-'));
  t.after(() => rmSync(programs, { recursive: true }));
  const linked = new Set<string>();
  for (const folder of (process.env.PATH ?? '').split(':'))
    for (const name of list(folder)) {
      if (linked.has(name) || /^(redis|valkey)-/.test(name)) continue;
      symlinkSync(join(folder, name), join(programs, name));
      linked.add(name);
    }
  return programs;
}

/** The folder of the machine that has redis-server. */
function folderOfRedis(): string {
  const folder = (process.env.PATH ?? '').split(':').find((each) => list(each).includes('redis-server'));
  assert.ok(folder, 'the tests need redis-server');
  return folder;
}

test('without a Redis program a managed deployment is refused with the way out; an environment that had its PostgreSQL goes on', async (t) => {
  const programs = programsWithoutRedis(t);
  const more = join(programs, 'with-redis');
  const paddock = await startPlatform(t, { PATH: `${programs}:${more}` });
  const { api } = await paddock.person();
  const { id: project_id } = await api.projects.create({ name: 'half' });
  const deploy = () => api.deployments.create({ project_id, database_mode: 'managed', file: zip(countingAgent()), file_name: 'agent.zip' });
  const problems = async () => (await api.system.get()).database_problems;

  assert.equal((await problems()).postgresql, null);
  await assert.rejects(deploy, (error: ApiError) => {
    assert.equal(error.code, 'database_mode_unavailable');
    assert.match(error.message, /^Managed Redis is not available on this installation: Neither .*`apt-get install redis-server`/);
    return true;
  });
  assert.deepEqual((await api.deployments.list({ project_id })).deployments, []);
  assert.deepEqual((await api.databases.list({ project_id })).databases, []);

  symlinkSync(folderOfRedis(), more);
  await until('Redis is found', async () => (await problems()).redis === null);
  const made = await deploy();
  await reaches(api, made.id, ['active']);
  const attached = async (id: string) => (await api.deployments.get({ id })).databases.map((one) => one.env_var).sort();
  assert.deepEqual(await attached(made.id), ['DATABASE_URL', 'REDIS_URL']);

  const redis = (await api.databases.list({ project_id })).databases.find((one) => one.type === 'redis');
  await api.databases.delete({ id: redis!.id });
  unlinkSync(more);
  await until('Redis is missed', async () => (await problems()).redis !== null);
  const again = await api.deployments.redeploy({ id: made.id });
  await reaches(api, again.id, ['active']);
  assert.deepEqual(await attached(again.id), ['DATABASE_URL']);
  const remedy = (await problems()).redis?.remedy ?? '';
  assert.notEqual(remedy, '');
  const told = async () => (await api.logs.list({ id: again.id, search: 'Managed Redis is not available here: ' })).logs[0]?.message;
  await until('its log says how to have Redis', async () => (await told())?.includes(remedy) ?? false);
});

const list = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return []; // PATH may name missing folders
  }
};
