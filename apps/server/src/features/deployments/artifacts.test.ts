import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApi } from '../../../test/server.ts';
import { teamOf } from '../../../test/team-of.ts';
import { transitions } from './transitions.ts';

test('of an environment the last ten builds are kept, what runs however old it is, and nothing of a week ago', async (t) => {
  const { sql, person } = await startApi(t);
  const ada = await person();
  const { id: project_id } = await ada.api.projects.create({ name: 'often-deployed' });
  const team_id = await teamOf(sql, 'the only project');
  const built = (name: string, status: string, { hoursAgo, environment = 'production' }: { hoursAgo: number; environment?: string }) => sql`
    insert into deployments (
      id, team_id, project_id, environment, status, source_blob, source_name, source_bytes, created_by, artifact, created_at
    )
    values (
      ${`dep_${name}`}, ${team_id}, ${project_id}, ${environment}, ${status}, 'blb_x', 'a.zip', 1, 'usr_x',
      ${sql.json({ key: name })}, now() - ${`${hoursAgo} hours`}::interval
    )`;
  for (let n = 1; n <= 14; n++) await built(`p${n}`, 'stopped', { hoursAgo: n });
  await built('running', 'active', { hoursAgo: 5000 });
  for (let n = 1; n <= 3; n++) await built(`v${n}`, 'stopped', { hoursAgo: 100 + n * 30, environment: 'preview' });
  const kept = (await transitions(sql, { owner: 'a test', node: 'here' }).artifactsInUse()).map((row) => row.artifact.key).sort();
  assert.deepEqual(kept, ['p1', 'p10', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7', 'p8', 'p9', 'running', 'v1', 'v2'].sort());
});

test('archives are looked up however many there are', async (t) => {
  const { sql, person } = await startApi(t);
  const { api } = await person();
  const { id: project_id } = await api.projects.create({ name: 'many-archives' });
  const team_id = await teamOf(sql, 'the only project');
  await sql`
    insert into deployments (id, team_id, project_id, environment, status, source_blob, source_name, source_bytes, created_by)
    values ('dep_1', ${team_id}, ${project_id}, 'production', 'stopped', 'blb_69999', 'a.zip', 1, 'usr_x')`;
  const { blobsInUse } = transitions(sql, { owner: 'a test', node: 'here' });
  const archives = Array.from({ length: 70_000 }, (_, n) => `blb_${n}`);
  assert.deepEqual(await blobsInUse(archives), new Set(['blb_69999']));
  assert.deepEqual(await blobsInUse(archives, project_id), new Set());
});
