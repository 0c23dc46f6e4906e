import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startPlatform } from '../../test/platform.ts';
import { connect } from '../db/connect.ts';

test('after a lost key the platform starts again as the guide tells, and what is given anew works', async (t) => {
  const platform = await startPlatform(t);
  const { api } = await platform.person();
  const { id: project_id } = await api.projects.create({ name: 'shop' });
  const variable = (value: string) => ({
    project_id,
    environment: 'production' as const,
    variables: [{ key: 'TOKEN', value, available_at_build: false }],
  });
  await api.variables.set(variable('first value'));

  await platform.stop();
  rmSync(join(platform.dataDir, 'secret.key'));
  await assert.rejects(platform.boot());
  const sql = connect(platform.databaseUrl, { max: 1 });
  for (const table of ['key_check', 'audit_signing_key']) await sql`delete from ${sql(table)}`;
  await sql.end();
  await platform.boot();
  await api.variables.set(variable('second value'));
  const { variables } = await api.variables.list({ project_id, environment: 'production' });
  assert.deepEqual(
    variables.map(({ key }) => key),
    ['TOKEN'],
  );
});
