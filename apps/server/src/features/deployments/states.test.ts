import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Artifact } from '@paddock/builder';
import { zip } from '../../../test/archives.ts';
import { startApi } from '../../../test/server.ts';
import { removeOldMoves } from './states.ts';
import { transitions } from './transitions.ts';

const plan = { language: 'node', type: 'web', root: '', install: null, build: null, start: ['node'], reasons: [], warnings: [] };
const artifact = { key: 'k', plan, layer_keys: [] } as unknown as Artifact;
const target = { host: '127.0.0.1', port: 9, instance_port: 8080 };

async function world(t: TestContext) {
  const { sql, person } = await startApi(t);
  const { api } = await person();
  const { id: project_id } = await api.projects.create({ name: 'moving' });
  const queue = async () => (await api.deployments.create({ project_id, file: zip({ 'server.js': '1' }), file_name: 'a.zip' })).id;
  const worker = transitions(sql, { owner: 'one', node: 'here' });
  /** Moves a deployment from the queue to its address. */
  async function serve(id: string) {
    const d = (await worker.claim('all'))!;
    assert.equal(d.id, id);
    await worker.building(d);
    await worker.deploying(d, artifact);
    await worker.starting(d, { instance_id: `ins-${id}` });
    await worker.active(d, { agent_type: 'web', target, drainSeconds: 30 });
    return d;
  }
  const moves = async (id: string) => {
    const rows = await sql<{ from_status: string | null; to_status: string; why: string; who: string | null }[]>`
      select from_status, to_status, why, who from moves where deployment_id = ${id} order by number`;
    return rows.map(({ from_status, to_status, why, who }) => `${from_status ?? ''} → ${to_status}: ${why}${who ? ' by a person' : ''}`);
  };
  return { sql, api, project_id, queue, worker, serve, moves };
}

const served = [
  '→ queued: created by a person',
  'queued → building: started_building',
  'building → deploying: built',
  'deploying → active: ready',
];

test('each move of a deployment is noted with its cause, and with the person where one asked for it', async (t) => {
  const { api, queue, worker, serve, moves } = await world(t);
  const first = await queue();
  await serve(first);
  assert.equal(await worker.crashed(first, { instance_id: `ins-${first}`, delaySeconds: 0, how: 'exit code 1' }), true);
  const restarted = (await worker.claim('restarts'))!;
  await worker.active(restarted, { agent_type: 'web', target, drainSeconds: 30 });
  const second = await queue();
  await serve(second);
  await api.deployments.stop({ id: second });
  const third = await queue();
  await api.deployments.cancel({ id: third });
  const [start, ...then] = await moves(first);
  assert.deepEqual(
    [start?.trim(), ...then],
    [...served, 'active → active: crashed', 'active → active: ready', 'active → stopped: replaced'],
  );
  assert.deepEqual((await moves(second)).slice(-1), ['active → stopped: stopped by a person']);
  assert.deepEqual((await moves(third)).slice(-1), ['queued → stopped: cancelled by a person']);
});

test('a move that is made again, since its answer got lost, is noted once', async (t) => {
  const { queue, worker, serve, moves } = await world(t);
  const id = await queue();
  const d = await serve(id);
  await worker.active(d, { agent_type: 'web', target, drainSeconds: 30 });
  assert.equal((await moves(id)).filter((one) => one.includes('ready')).length, 1);
});

test('moves outlive their project, and go after 13 months', async (t) => {
  const { sql, api, project_id, queue, worker, serve, moves } = await world(t);
  const id = await queue();
  await serve(id);
  await api.projects.delete({ id: project_id });
  await worker.endDeleted();
  await sql`delete from projects where id = ${project_id}`;
  assert.deepEqual((await moves(id)).slice(-1), ['active → stopped: project_deleted']);
  await sql`update moves set at = now() - interval '14 months' where why = 'created'`;
  await removeOldMoves(sql);
  assert.equal((await moves(id)).length, 4);
});
