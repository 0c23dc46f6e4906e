import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deploymentIn } from '../../../test/rows.ts';
import { startApi } from '../../../test/server.ts';

type Times = { created: string; deployed?: string; ended?: string; status: string };

/** Deployments of one environment in the order in which they were created. Times are of one day. */
const history: Record<string, Times> = {
  dep_first: { created: '10:00', deployed: '10:02', ended: '11:22', status: 'stopped' },
  // Never active. The next one was created and activated before this build failed.
  dep_slow: { created: '10:10', ended: '11:30', status: 'failed' },
  dep_second: { created: '11:20', deployed: '11:22', ended: '12:02', status: 'stopped' },
  // Never active: it failed before the next one was created.
  dep_refused: { created: '11:40', ended: '11:41', status: 'failed' },
  dep_third: { created: '12:00', deployed: '12:02', ended: '12:03', status: 'failed' },
  dep_built: { created: '12:04', status: 'building' },
};
const expected = {
  dep_first: [undefined, undefined],
  dep_slow: ['dep_first', 'dep_first'],
  dep_second: ['dep_first', 'dep_first'],
  dep_refused: ['dep_second', 'dep_second'],
  dep_third: ['dep_second', 'dep_second'],
  // The third one served and failed: it is the predecessor, but not one to roll back to.
  dep_built: ['dep_third', 'dep_second'],
};

test('the predecessor of a deployment served before it, also when the deployment failed and others were deployed since', async (t) => {
  const { sql, api, team_id, project_id, deployment_id } = await deploymentIn(await startApi(t));
  await sql`delete from deployments where id = ${deployment_id}`;
  const at = (time: string | undefined) => (time === undefined ? null : `2026-11-02T${time}:00Z`);
  for (const [id, { created, deployed, ended, status }] of Object.entries(history))
    await sql`
      insert into deployments (
        id, team_id, project_id, environment, status, source_blob, source_name, source_bytes, created_by, created_at, deployed_at, ended_at)
      values (
        ${id}, ${team_id}, ${project_id}, 'production', ${status}, 'b', 'n', 1, 'u', ${at(created)}, ${at(deployed)}, ${at(ended)})`;
  const found: Record<string, (string | undefined)[]> = {};
  for (const id of Object.keys(history)) {
    const { predecessor, rollback_target } = await api.deployments.provenance({ id });
    found[id] = [predecessor?.id, rollback_target?.id];
  }
  assert.deepEqual(found, expected);
});
