import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { testDatabase } from '../../test/postgres.ts';
import { connect } from '../db/connect.ts';
import { createFailover } from '../features/deployments/run/failover.ts';
import { nodeStore } from './store.ts';

const timeoutS = 60;

async function twoNodes(t: TestContext) {
  const database = await testDatabase();
  const sql = connect(database.url, { max: 2 });
  t.after(async () => {
    await sql.end({ timeout: 5 });
    await database.drop();
  });
  const [a, b] = [nodeStore(sql, 'a'), nodeStore(sql, 'b')];
  const node = { host: 'host', machine: 'machine', blob_store: 'store', timeout_s: timeoutS };
  await a.register({ owner: 'process a', ...node });
  await b.register({ owner: 'process b', ...node });
  await sql`insert into teams (id, name) values ('team_1', 'Team')`;
  await sql`insert into projects (id, team_id, name, subdomain) values ('prj_1', 'team_1', 'project', 'project')`;
  const deployment = (id: string, status: string, more: { plan?: string; drain?: number | null } = {}) => sql`
    insert into deployments (id, team_id, project_id, environment, status, source_blob, source_name, source_bytes, created_by, node, instance_id, artifact, drain_until)
    values (${id}, 'team_1', 'prj_1', 'production', ${status}, 'b', 'n', 1, 'u', 'a', ${`ins-${id}`}, ${sql.json({ plan: { type: more.plan ?? 'web' } })},
      ${more.drain === undefined ? null : sql`now() + ${`${more.drain} seconds`}::interval`})`;
  const ago = (label: string, column: 'seen_at' | 'steady_since', seconds: number) =>
    sql`update nodes set ${sql(column)} = now() - ${`${seconds} seconds`}::interval where label = ${label}`;
  const dead = async () => (await b.dead(timeoutS)).map((one) => one.label);
  const state = async () => {
    const rows = await sql<{ id: string; status: string; node: string; instance_id: string | null; due: boolean; draining: boolean }[]>`
      select id, status, node, instance_id, restart_at is not null as due, drain_until is not null as draining from deployments order by id`;
    return rows.map((row) => [row.id, row.status, row.node, row.instance_id, row.due, row.draining]);
  };
  return { sql, a, b, deployment, ago, dead, state };
}

test('a node is dead after its silence, but only in the eyes of one that was heard all that time', async (t) => {
  const { sql, b, deployment, ago, dead } = await twoNodes(t);
  await deployment('dep_1', 'active');
  assert.deepEqual(await dead(), [], 'both have just been heard');
  await ago('a', 'seen_at', 70);
  assert.deepEqual(await dead(), [], 'the other one has only just come');
  await ago('b', 'steady_since', 70);
  assert.deepEqual(await dead(), ['a']);

  // Simulates an outage of the database, which stops all heartbeats.
  await ago('b', 'seen_at', 40);
  assert.equal(await b.beat('process b', timeoutS / 2), true);
  assert.deepEqual(await dead(), [], 'it was silent itself');
  await ago('b', 'steady_since', 70);
  assert.equal(await b.beat('process b', timeoutS / 2), true);
  assert.deepEqual(await dead(), ['a'], 'without a gap it goes on counting');

  await sql`update nodes set timeout_s = 100 where label = 'a'`;
  assert.deepEqual(await dead(), [], 'it was told to be patient with that one');
});

test('a node that says goodbye with nothing running is dead at once, one that left agents running is not', async (t) => {
  const { a, deployment, ago, dead } = await twoNodes(t);
  await deployment('dep_1', 'active');
  await ago('b', 'steady_since', 70);
  await a.leave('process a', false);
  assert.deepEqual(await dead(), []);
  await a.register({ owner: 'process a', host: 'host', machine: 'machine', blob_store: 'store', timeout_s: timeoutS });
  await a.leave('process a', true);
  assert.deepEqual(await dead(), ['a']);
});

test('a process that no longer speaks for its node is told so', async (t) => {
  const { a } = await twoNodes(t);
  assert.equal(await a.beat('process before', 30), false);
  await a.leave('process before', true);
  assert.equal((await a.find())?.owner, 'process a');
});

test('what is taken from a dead node: its agents run here, its jobs end, its drains are over, its leases free', async (t) => {
  const { sql, b, deployment, ago, state } = await twoNodes(t);
  await deployment('dep_active', 'active');
  await deployment('dep_building', 'building');
  await deployment('dep_draining', 'stopped', { drain: 20 });
  await deployment('dep_drained', 'stopped', { drain: -1 });
  await deployment('dep_job', 'active', { plan: 'job' });
  await sql`update deployments set lease_owner = 'process a', lease_until = now() + interval '20 seconds', fence = 3 where id in ('dep_building', 'dep_active')`;
  await ago('a', 'seen_at', 70);
  await ago('b', 'steady_since', 70);
  const [dead] = await b.dead(timeoutS);
  assert.ok(dead);
  const moves = createFailover(sql, { node: 'b', machine: 'machine' });
  const taken = await moves.from(dead);
  assert.deepEqual([taken.moved.map((one) => one.id), taken.jobs.map((one) => one.id)], [['dep_active'], ['dep_job']]);
  assert.deepEqual(await state(), [
    ['dep_active', 'active', 'b', null, true, false],
    ['dep_building', 'building', 'a', 'ins-dep_building', false, false],
    ['dep_drained', 'stopped', 'a', null, false, false],
    ['dep_draining', 'stopped', 'a', 'ins-dep_draining', false, true],
    ['dep_job', 'failed', 'a', null, false, false],
  ]);
  assert.equal((await sql`select 1 from deployments where lease_owner is not null`).length, 0);
  const [row] = await sql<{ fence: number }[]>`select fence from deployments where id = 'dep_active'`;
  assert.equal(row?.fence, 4, 'who had it before changes nothing any more');
  assert.deepEqual(await createFailover(sql, { node: 'a', machine: 'machine' }).whereabouts('dep_active'), 'moving');

  await deployment('dep_late', 'active');
  await ago('a', 'seen_at', 1);
  assert.deepEqual((await moves.from(dead)).moved, [], 'it has come back meanwhile');
});

test('on another machine visitors are told that the agent is starting; on the same one the old instance serves until the new one does', async (t) => {
  const { sql, b, deployment, ago } = await twoNodes(t);
  for (const [machine, expected] of [
    ['machine', ['active', '10.0.0.1']],
    ['another', ['starting', null]],
  ] as const) {
    await sql`delete from deployments`;
    await deployment('dep_1', 'active');
    await sql`insert into routes (label, team_id, project_id, deployment_id, state, target_host, target_port, version)
      values ('project', 'team_1', 'prj_1', 'dep_1', 'active', '10.0.0.1', 80, 0)`;
    await ago('a', 'seen_at', 70);
    await ago('b', 'steady_since', 70);
    const [dead] = await b.dead(timeoutS);
    assert.ok(dead);
    await createFailover(sql, { node: 'b', machine }).from(dead);
    const [route] = await sql<{ state: string; target_host: string | null }[]>`select state, target_host from routes`;
    assert.deepEqual([route?.state, route?.target_host], expected);
  }
});
