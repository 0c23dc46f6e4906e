// Either of two servers dies while agents are built, started and visited.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deploy, reaches, until } from '../apps/server/test/platform.ts';
import { apiOf } from '../apps/server/test/server.ts';
import { sized } from '../scripts/test/size.ts';
import { startPair, stopsAgents, visitAll, whose } from './replicas/pair.ts';
import { follow, instances, isAt, messages, readsAllInOrder, rowsOf, runsOnlyItsOwn, slowAgent, steadyAgent } from './replicas/watch.ts';

/** Minimum number of visits, at each size's pace: about eight seconds of visits. */
const minVisits = sized({ short: 80, long: 200 });

test('two servers of which either is killed or loses its database do all of their work once, and visitors notice nothing', async (t) => {
  const pair = await startPair(t, stopsAgents);
  const { a, b, both, sql } = pair;
  const ada = await a.person('ada@example.com');
  const onA = ada.api;
  const project = async (name: string) => (await onA.projects.create({ name })).id;
  const first = await deploy(onA, await project('steady'), steadyAgent);
  await reaches(onA, first.id, ['active']);
  const lines = follow(pair, first.id, ada.token);
  for (const gateway of both) await until('the gateway knows it', async () => (await gateway.visit('steady.localhost')).body === 'steady');

  await t.test(
    'kill -9 of either while agents are queued, built, started and visited: all is done, once, under the same ids',
    async (t) => {
      const job = await deploy(onA, await project('once'), {
        'paddock.yaml': 'type: job\nstart: node job.js\nstart_budget: 2\n',
        'job.js': `console.log('ran'); setTimeout(() => undefined, 120_000)`,
      });
      await reaches(onA, job.id, ['active']);
      const { has: x, other: y } = await whose(pair, job.id, 'instance');
      const onY = apiOf(y.origin, ada.token);
      const stopVisiting = visitAll(t, both, { host: 'steady.localhost', expected: 'steady' });

      for (const [killed, stage] of [
        [x, 'building'],
        [y, 'deploying'],
      ] as const) {
        const api = killed === x ? onY : apiOf(x.origin, ada.token);
        const names: string[] = [];
        const made: string[] = [];
        // The test cannot choose the server, so it deploys more until the one to be killed has a deployment at that stage.
        for (let tries = 0; !(await isAt(pair, killed, { ids: made, stage })); tries++) {
          assert.ok(tries < 5, `none was ${stage} at the one to be killed`);
          for (const name of [`${stage}-${tries}-a`, `${stage}-${tries}-b`, ...(stage === 'building' && !tries ? ['queued'] : [])]) {
            names.push(name);
            made.push((await deploy(api, await project(name), slowAgent(name))).id);
          }
          const isOver = async () => (await sql`select 1 from deployments where id = any(${made}) and status <> 'active'`).length === 0;
          await until(
            'one is at that stage, or all are over',
            async () => (await isAt(pair, killed, { ids: made, stage })) || (await isOver()),
            60,
          );
        }
        await killed.kill();
        for (const [n, id] of made.entries()) {
          assert.equal((await reaches(api, id, ['active'])).id, id);
          for (const gateway of both)
            await until(`${names[n]} answers`, async () => (await gateway.visit(`${names[n]}.localhost`)).body === names[n]);
        }
        await until('nothing is left to the dead one', async () => (await rowsOf(pair, killed)) === 0);
        await killed.boot();
      }
      for (const server of both) await runsOnlyItsOwn(pair, server);
      const { wrong, visits } = await stopVisiting(minVisits);
      assert.deepEqual(wrong, [], `of ${visits.join(' and ')}`);

      const ended = await onA.deployments.get({ id: job.id });
      assert.equal(ended.status, 'failed');
      assert.match(ended.error_message ?? '', /not run a second time by itself/);
      const log = await messages(pair, job.id);
      assert.equal(log.filter((message) => message === 'ran').length, 1);
      assert.ok((await messages(pair, first.id)).some((message) => /does not answer any more; the one on .* takes over/.test(message)));
    },
  );

  await t.test('a server without its database stops nothing, and what it ran serves until the one that took over does', async (t) => {
    const late = await deploy(onA, await project('late'), {
      'server.js': `setTimeout(() => require('http').createServer((q, r) => r.end('late')).listen(process.env.PORT), 8000)`,
    });
    await reaches(onA, late.id, ['active']);
    const { has, other } = await whose(pair, late.id, 'instance');
    for (const gateway of both) await until('the gateway knows it', async () => (await gateway.visit('late.localhost')).body === 'late');
    const stopVisiting = visitAll(t, both, { host: 'late.localhost', expected: 'late' });
    const before = instances(has);
    has.link.cut();
    await until('the other one has taken over', async () => (await whose(pair, late.id, 'instance')).has === other);
    assert.deepEqual(instances(has), before, 'nothing was stopped blindly');
    has.link.mend(); // it is back long before the new one listens
    for (const server of both) await runsOnlyItsOwn(pair, server);
    const isReady = async () =>
      (await sql`select 1 from deployments where id = ${late.id} and status = 'active' and restart_at is null`).length === 1;
    await until('it is ready there', isReady);
    const { wrong, visits } = await stopVisiting(minVisits);
    assert.deepEqual(wrong, [], `of ${visits.join(' and ')}`);
    const after = await onA.deployments.get({ id: late.id });
    assert.deepEqual([after.status, after.restarts], ['active', 0]);
  });

  await t.test('its log was read live through all of this, each line once and in order', () => readsAllInOrder(pair, first.id, lines));

  await t.test('projects that are deleted at one leave nothing at either', async () => {
    for (const { id } of (await apiOf(b.origin, ada.token).projects.list({})).projects) await onA.projects.delete({ id });
    await until('they are gone', async () => (await sql`select 1 from projects`).length === 0);
    // No row names any instance now. The old server's instances of deployments that were taken over end a moment later than the rows.
    for (const server of both) await runsOnlyItsOwn(pair, server);
    assert.deepEqual([instances(a), instances(b)], [[], []]);
  });
});
