import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deploymentIn } from '../../../../test/rows.ts';
import { startApi } from '../../../../test/server.ts';

test('what is not known of a deployment is told as unknown: archives that are gone, no build, no start', async (t) => {
  const { sql, api, team_id, project_id, deployment_id } = await deploymentIn(await startApi(t));
  await sql`
    insert into deployments (id, team_id, project_id, environment, status, source_blob, source_name, source_bytes, created_by)
    values ('dep_other', ${team_id}, ${project_id}, 'preview', 'failed', 'c', 'n', 1, 'u')`;
  assert.deepEqual(await api.deployments.changes({ id: 'dep_other', with: deployment_id }), {
    deployment_id: 'dep_other',
    with_id: deployment_id,
    is_same_code: null,
    files: null,
    packages: null,
    plan: null,
    variables: null,
  });
});

test('a deployment is compared with one of its own team alone', async (t) => {
  const server = await startApi(t);
  const { sql, api, deployment_id } = await deploymentIn(server);
  const eve = await server.person();
  const { id: project_id } = await eve.api.projects.create({ name: 'eves' });
  await sql`
    insert into deployments (id, team_id, project_id, environment, status, source_blob, source_name, source_bytes, created_by)
    select 'dep_eves', team_id, id, 'production', 'active', 'b', 'n', 1, 'u' from projects where id = ${project_id}`;
  const notFound = { code: 'deployment_not_found' };
  await assert.rejects(api.deployments.changes({ id: deployment_id, with: 'dep_eves' }), notFound);
  await assert.rejects(api.deployments.changes({ id: 'dep_eves', with: deployment_id }), notFound);
  await assert.rejects(eve.api.deployments.changes({ id: 'dep_eves', with: deployment_id }), notFound);
  await assert.rejects(eve.api.deployments.changes({ id: 'dep_eves' }), { code: 'nothing_to_compare' });
});
