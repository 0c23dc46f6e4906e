import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zip } from '../../../test/archives.ts';
import { startApi } from '../../../test/server.ts';

const file = { file: zip({ 'server.js': '1' }), file_name: 'a.zip' };

test('a deployment in managed mode is refused where PostgreSQL cannot be had, with the reason and what to do, and leaves nothing', async (t) => {
  const lack = { ok: false, reason: 'Its files are not there.', remedy: 'Install them.' } as const;
  const { person, sql } = await startApi(t, { available: async () => lack });
  const { api } = await person();
  assert.deepEqual((await api.system.get()).database_problems.postgresql, { reason: lack.reason, remedy: lack.remedy });
  const { id: project_id } = await api.projects.create({ name: 'none' });
  await assert.rejects(
    api.deployments.create({ project_id, database_mode: 'managed', ...file }),
    (error: { code: string; message: string }) => {
      assert.equal(error.code, 'database_mode_unavailable');
      assert.match(error.message, /Its files are not there\. Install them\./);
      return true;
    },
  );
  assert.deepEqual([...(await sql`select id from deployments union all select id from databases`)], []);
});

test('a deployment and its databases are made together, once for an environment, and each environment has its own', async (t) => {
  const { person } = await startApi(t);
  const { api } = await person();
  const { id: project_id } = await api.projects.create({ name: 'both' });
  const first = await api.deployments.create({ project_id, database_mode: 'managed', ...file });
  await api.deployments.create({ project_id, database_mode: 'managed', ...file });
  await api.deployments.redeploy({ id: first.id });
  assert.equal((await api.databases.list({ project_id, environment: 'production' })).total, 2);
  await api.deployments.create({ project_id, environment: 'preview', database_mode: 'managed', ...file });
  assert.equal((await api.databases.list({ project_id })).total, 4);
  const page = await api.databases.list({ limit: 3 });
  const rest = await api.databases.list({ limit: 3, cursor: page.next_cursor! });
  assert.equal(new Set([...page.databases, ...rest.databases].map((one) => one.id)).size, 4);
  const [one] = page.databases;
  assert.deepEqual([one?.status, one?.port, one?.project_name, one?.environment], ['provisioning', null, 'both', 'preview']);
  await assert.rejects(api.databases.connectionString({ id: one!.id }), { code: 'database_not_ready' });
  await assert.rejects(api.databases.rotatePassword({ id: one!.id }), { code: 'database_not_ready' });
  await api.databases.delete({ id: one!.id });
  assert.equal((await api.databases.get({ id: one!.id })).status, 'deleting');
  await assert.rejects(api.databases.start({ id: one!.id }), { code: 'database_not_ready' });
  await api.deployments.create({ project_id, environment: 'preview', database_mode: 'managed', ...file });
  assert.equal((await api.databases.list({ project_id, environment: 'preview' })).total, 3, 'a new one beside the one that goes');
});

test('what is on a node that does not answer any more is shown as failed, with the reason', async (t) => {
  const { person, sql } = await startApi(t);
  const { api } = await person();
  const { id: project_id } = await api.projects.create({ name: 'away' });
  await api.deployments.create({ project_id, database_mode: 'managed', ...file });
  await sql`
    insert into nodes (label, host, machine, blob_store, timeout_s)
    values ('there', 'two', 'm', 'b', 60)`;
  await sql`update databases set node = 'there', machine = 'm', status = 'available'`;
  const statuses = async () => new Set((await api.databases.list()).databases.map((one) => `${one.status}: ${one.status_message}`));
  assert.deepEqual(await statuses(), new Set(['available: null']));
  await sql`update nodes set seen_at = now() - interval '2 minutes'`;
  assert.deepEqual(await statuses(), new Set(['failed: The server that has it does not answer. It is back as soon as that server is.']));
});
