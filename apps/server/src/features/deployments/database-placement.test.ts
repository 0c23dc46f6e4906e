import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { zip } from '../../../test/archives.ts';
import { startApi } from '../../../test/server.ts';
import { nodeStore } from '../../nodes/store.ts';
import { restartAgents } from './restart-agents.ts';
import { createFailover } from './run/failover.ts';
import { transitions } from './transitions.ts';

const file = { file: zip({ 'server.js': '1' }), file_name: 'a.zip' };

/** A deployment in managed mode whose databases are on the node 'there', on another machine than 'here'. */
async function apart(t: TestContext) {
  const { sql, person } = await startApi(t);
  const { api } = await person();
  const { id: project_id } = await api.projects.create({ name: 'apart' });
  const { id } = await api.deployments.create({ project_id, database_mode: 'managed', ...file });
  await sql`update databases set node = 'there', machine = 'machine two'`;
  const row = async () =>
    (
      await sql<
        { status: string; node: string | null; restart_at: string | null; instance_id: string | null; fence: number }[]
      >`select * from deployments where id = ${id}`
    )[0]!;
  const runThere = () => sql`
    update deployments
    set
      status = 'active',
      is_current = true,
      node = 'there',
      instance_id = 'ins-1'
    where id = ${id}`;
  return { sql, id, project_id, row, runThere };
}

test('a deployment is claimed where its databases are, by the node that has them or one beside it', async (t) => {
  const { sql, id } = await apart(t);
  assert.equal(await transitions(sql, { owner: 'one', node: 'here', machine: 'machine one' }).claim('all'), undefined);
  assert.equal((await transitions(sql, { owner: 'two', node: 'beside', machine: 'machine two' }).claim('all'))?.id, id);
  await sql`update deployments set lease_until = null`;
  assert.equal((await transitions(sql, { owner: 'three', node: 'there', machine: 'machine two after a reboot' }).claim('all'))?.id, id);
});

test('what ran on a dead node that has its databases waits for it and says so once; a node beside it takes it over', async (t) => {
  const { sql, id, row, runThere } = await apart(t);
  await runThere();
  await sql`
    insert into nodes (label, host, machine, blob_store, timeout_s, seen_at)
    values ('there', 'two', 'machine two', 'b', 1, now() - interval '1 hour')`;
  const dead = { label: 'there', host: 'two', machine: 'machine two', timeout_s: 1 };
  const first = await createFailover(sql, { node: 'here', machine: 'machine one' }).from(dead);
  assert.deepEqual([[...first.moved], first.waiting.map((one) => one.id)], [[], [id]]);
  const waiting = await row();
  assert.deepEqual(
    [waiting.node, waiting.instance_id, waiting.restart_at !== null],
    ['there', 'ins-1', true],
    'what may live on there is found again',
  );
  assert.deepEqual([...(await createFailover(sql, { node: 'here', machine: 'machine one' }).from(dead)).waiting], [], 'it is said once');
  assert.deepEqual(
    (await createFailover(sql, { node: 'beside', machine: 'machine two' }).from(dead)).moved.map((one) => one.id),
    [id],
  );
  assert.equal((await row()).node, 'beside');
});

test('what is queued waits as well, and a node is dead as long as something waits for it', async (t) => {
  const { sql, id } = await apart(t);
  await sql`
    insert into nodes (label, host, machine, blob_store, timeout_s, seen_at, steady_since)
    values
      ('there', 'two', 'machine two', 'b', 1, now() - interval '1 hour', now() - interval '2 hours'),
      ('here', 'one', 'machine one', 'b', 1, now(), now() - interval '1 hour')`;
  const [dead] = await nodeStore(sql, 'here').dead(1);
  assert.equal(dead?.label, 'there');
  assert.deepEqual(
    [...(await createFailover(sql, { node: 'here', machine: 'machine one' }).queuedFor('there'))].map((one) => one.id),
    [id],
  );
  await sql`update databases set node = null, machine = null`;
  assert.deepEqual([...(await nodeStore(sql, 'here').dead(1))], []);
});

test('an agent whose databases changed starts anew beside the one that serves, and whoever was at it has lost it', async (t) => {
  const { sql, id, project_id, row, runThere } = await apart(t);
  await runThere();
  const before = await row();
  await sql.begin((tx) => restartAgents(tx, { project_id, environment: 'preview' }));
  assert.deepEqual(await row(), before, 'another environment has other databases');
  await sql.begin((tx) => restartAgents(tx, { project_id, environment: 'production' }));
  const after = await row();
  assert.deepEqual([after.status, after.instance_id, after.fence - before.fence], ['active', null, 1]);
  assert.equal((await transitions(sql, { owner: 'three', node: 'there', machine: 'machine two' }).claim('restarts'))?.id, id, 'at once');
});
