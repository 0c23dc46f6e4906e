import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { zip } from '../../../test/archives.ts';
import { countingAgent } from '../../../test/database-agent.ts';
import { reaches, startPlatform } from '../../../test/platform.ts';

test('without a Redis program an agent gets PostgreSQL alone, and its log says what is missing and how to get it', async (t) => {
  const programs = mkdtempSync(join(tmpdir(), 'paddock-programs-'));
  t.after(() => rmSync(programs, { recursive: true }));
  const linked = new Set<string>();
  for (const folder of (process.env.PATH ?? '').split(':'))
    for (const name of list(folder)) {
      if (linked.has(name) || /^(redis|valkey)-/.test(name)) continue;
      symlinkSync(join(folder, name), join(programs, name));
      linked.add(name);
    }
  const paddock = await startPlatform(t, { PATH: programs });
  const { api } = await paddock.person();
  const { database_problems } = await api.system.get();
  assert.equal(database_problems.postgresql, null);
  assert.match(database_problems.redis?.remedy ?? '', /redis-server|valkey/);
  const { id: project_id } = await api.projects.create({ name: 'half' });
  const made = await api.deployments.create({ project_id, database_mode: 'managed', file: zip(countingAgent()), file_name: 'agent.zip' });
  await reaches(api, made.id, ['active']);
  assert.deepEqual(
    (await api.deployments.get({ id: made.id })).databases.map((one) => one.env_var),
    ['DATABASE_URL'],
  );
  const urls = JSON.parse((await paddock.visit('half.localhost', '/urls')).body) as Record<string, string>;
  assert.deepEqual(Object.keys(urls), ['DATABASE_URL']);
  const { logs } = await api.logs.list({ id: made.id, limit: 500 });
  const line = logs.find((one) => one.message.startsWith('Managed Redis is not available here: '));
  assert.ok(line?.message.includes(database_problems.redis!.remedy), JSON.stringify(line));
});

const list = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return []; // PATH may name folders that are not there
  }
};
