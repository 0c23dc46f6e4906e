import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Artifact } from '@paddock/builder';
import { zip } from '../../../test/archives.ts';
import { startApi } from '../../../test/server.ts';
import { LeaseLost } from './leases.ts';
import { transitions } from './transitions.ts';

const plan = { language: 'node', type: 'web', root: '', install: null, build: null, start: ['node'], reasons: [], warnings: [] };
const artifact = { key: 'k', plan, layer_keys: [] } as unknown as Artifact;
const target = { host: '127.0.0.1', port: 9, instance_port: 8080 };

/** Two workers on one database, and a function that queues deployments of one project. */
async function workers(t: TestContext) {
  const { sql, person } = await startApi(t);
  const ada = await person();
  const { id: project_id } = await ada.api.projects.create({ name: 'leased' });
  const queue = async () => (await ada.api.deployments.create({ project_id, file: zip({ 'server.js': '1' }), file_name: 'a.zip' })).id;
  const endLease = (id: string) => sql`update deployments set lease_until = now() - interval '1 second' where id = ${id}`;
  const route = async () =>
    (await sql<{ deployment_id: string; target_port: number | null }[]>`select * from routes where label = 'leased'`)[0];
  return {
    sql,
    queue,
    endLease,
    route,
    one: transitions(sql, { owner: 'one', node: 'here' }),
    two: transitions(sql, { owner: 'two', node: 'here' }),
    api: ada.api,
  };
}

test('work whose lease has ended is taken over, and not before', async (t) => {
  const { one, two, queue, endLease } = await workers(t);
  const id = await queue();
  const first = await one.claim('all');
  assert.equal(first?.id, id);
  assert.equal(await two.claim('all'), undefined, 'it is being worked on');
  await endLease(id);
  const second = await two.claim('all');
  assert.equal(second?.id, id);
  assert.ok(second.fence > first.fence);
});

test('a lease that is renewed lasts as long as a new one', async (t) => {
  const { sql, one, two, queue } = await workers(t);
  const id = await queue();
  const mine = (await one.claim('all'))!;
  await sql`update deployments set lease_until = now() + interval '2 seconds' where id = ${id}`;
  assert.equal(await one.renew(mine), true);
  const [row] = await sql<[{ left: number }]>`select extract(epoch from lease_until - now())::float8 as left from deployments`;
  assert.ok(row.left > 20, `${row.left} s are left`);
  assert.equal(await two.renew(mine), false, 'nobody renews the lease of another');
});

test('a worker that lost its lease changes nothing any more', async (t) => {
  const { one, two, queue, endLease, api } = await workers(t);
  const id = await queue();
  const slept = (await one.claim('all'))!;
  await endLease(id);
  const owner = (await two.claim('all'))!;
  await assert.rejects(one.building(slept), LeaseLost);
  await assert.rejects(one.deploying(slept, artifact), LeaseLost);
  await assert.rejects(one.starting(slept, { instance_id: 'ins-late' }), LeaseLost);
  await assert.rejects(one.active(slept, { agent_type: 'web', target, drainSeconds: 30 }), LeaseLost);
  await assert.rejects(one.failed(slept, { stage: 'building', message: 'too late' }), LeaseLost);
  assert.equal((await api.deployments.get({ id })).status, 'queued');
  await two.building(owner);
  assert.equal((await api.deployments.get({ id })).status, 'building');
});

test('a cancelled deployment changes no more, and ends as stopped', async (t) => {
  const { one, queue, api } = await workers(t);
  const id = await queue();
  const mine = (await one.claim('all'))!;
  await one.building(mine);
  await api.deployments.cancel({ id });
  assert.equal(await one.renew(mine), false);
  await assert.rejects(one.deploying(mine, artifact), LeaseLost);
  await one.cancelled(mine);
  assert.equal((await api.deployments.get({ id })).status, 'stopped');
});

test('a deployment that is ready after a newer one is stopped, and the address stays with the newer one', async (t) => {
  const { one, queue, route, api } = await workers(t);
  const [older, newer] = [await queue(), await queue()];
  const [slow, fast] = [(await one.claim('all'))!, (await one.claim('all'))!];
  assert.deepEqual([slow.id, fast.id], [older, newer]);
  for (const d of [slow, fast]) {
    await one.building(d);
    await one.deploying(d, artifact);
  }
  assert.equal(await one.active(fast, { agent_type: 'web', target, drainSeconds: 30 }), 'active');
  assert.equal(await one.active(slow, { agent_type: 'web', target: { ...target, port: 10 }, drainSeconds: 30 }), 'superseded');
  assert.equal((await api.deployments.get({ id: older })).status, 'stopped');
  assert.equal((await api.deployments.get({ id: newer })).is_current, true);
  assert.deepEqual([(await route())?.deployment_id, (await route())?.target_port], [newer, target.port]);
});

test('while a new version is built and when it fails the address stays with the one before', async (t) => {
  const { one, queue, route } = await workers(t);
  const serving = await queue();
  const first = (await one.claim('all'))!;
  await one.building(first);
  await one.deploying(first, artifact);
  await one.active(first, { agent_type: 'web', target, drainSeconds: 30 });
  const stays = async (when: string) =>
    assert.deepEqual([(await route())?.deployment_id, (await route())?.target_port], [serving, target.port], when);
  await queue();
  const next = (await one.claim('all'))!;
  await one.building(next);
  await stays('building');
  await one.deploying(next, artifact);
  await stays('deploying');
  await one.failed(next, { stage: 'deploying', message: 'it does not start' });
  await stays('failed');
});
