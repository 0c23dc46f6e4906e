import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '@paddock/contract';
import { deploy, reaches, until } from '../apps/server/test/platform.ts';
import { apiOf } from '../apps/server/test/server.ts';
import { type Replica, startPair, stopsAgents, visitAll, whose } from './replicas/pair.ts';
import { follow, instances, isAt, messages, named, opens, rowsOf, slowAgent } from './replicas/watch.ts';

const answering = (text: string, more = '') => `${more};require('http').createServer((q, r) => r.end('${text}')).listen(process.env.PORT)`;

test('two servers that start together on an empty database behave as one, through kills of either', async (t) => {
  const pair = await startPair(t);
  const { a, b, both, sql } = pair;

  await t.test('they migrated it once', async () => {
    const steps = await sql<{ name: string }[]>`select name from migrations order by name`;
    const files = readdirSync(join(import.meta.dirname, '../apps/server/src/db/migrations')).sort();
    assert.deepEqual(
      steps.map((row) => row.name),
      files,
    );
    assert.equal((await sql`select 1 from nodes where owner is not null`).length, 2);
    assert.equal((await sql`select 1 from key_check`).length, 1);
  });

  const ada = await a.person('ada@example.com');
  const [onA, onB] = both.map(({ origin }) => apiOf(origin, ada.token)) as [typeof ada.api, typeof ada.api];

  await t.test('who signed in at one is signed in at the other until signing out at either', async () => {
    const { token } = await apiOf(b.origin).accounts.login({ email: 'ada@example.com', password: 'correct horse' });
    assert.equal((await apiOf(a.origin, token).accounts.me({})).email, 'ada@example.com');
    await apiOf(a.origin, token).accounts.logout({});
    await assert.rejects(apiOf(b.origin, token).accounts.me({}), { code: 'not_signed_in' });
  });

  await t.test('200 parallel attempts over both let exactly the limit through', async () => {
    const attempts = Array.from({ length: 200 }, (_, n) =>
      apiOf(both[n % 2]!.origin)
        .accounts.login({ email: 'nobody@example.com', password: 'wrong horse' })
        .then(
          () => 'in',
          (error: ApiError) => (/wrong|many/.test(error.code) ? error.code : `${error.code}: ${error.message} ${String(error.cause)}`),
        ),
    );
    const outcomes: Record<string, number> = {};
    for (const outcome of await Promise.all(attempts)) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    // A window may end meanwhile; each has its own ten.
    const windows = await sql<{ count: number }[]>`select count from rate_limits where key = 'login:account:nobody@example.com'`;
    const allowed = windows.reduce((sum, row) => sum + Math.min(10, row.count), 0);
    assert.deepEqual(outcomes, { credentials_wrong: allowed, too_many_attempts: 200 - allowed });
    // The first refusal locks the account: what comes afterwards is not counted.
    assert.ok(windows.some(({ count }) => count > 10));
  });

  await t.test('the same keyed request at both at once makes one project, and the other one hears of it', async () => {
    const [{ version }] = (await sql<[{ version: number }]>`select version from teams`) as [{ version: number }];
    const heard = onB.system.changes({ after: version });
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, n) => both[n % 2]!).map(async ({ origin }) => {
        for (let tries = 0; tries < 50; tries++, await sleep(100)) {
          const one = await apiOf(origin, ada.token)
            .projects.create({ name: 'steady' }, { idempotency_key: 'k1' })
            .catch((error: ApiError) => error);
          if (!(one instanceof ApiError)) return one.id;
          assert.equal(one.code, 'request_in_progress');
        }
        return 'never';
      }),
    );
    assert.equal(new Set(made).size, 1);
    assert.ok((await heard).version > version);
    assert.equal((await onB.projects.list({})).projects.length, 1);
  });

  const project = async (name: string) => (await onA.projects.create({ name })).id;
  const steady = (await onA.projects.list({})).projects[0]!.id;
  const first = await deploy(onA, steady, {
    'server.js': answering('steady', `let n = 0; setInterval(() => console.log('tick ' + ++n), 50)`),
  });
  const lines = follow(pair, first.id, ada.token);
  await reaches(onB, first.id, ['active']);

  await t.test('deployed at one, its log streams live at the other, by a ticket that works once anywhere', async () => {
    await until('lines of the agent arrive at the other server', async () => lines.got().some((line) => line.message === 'tick 20'));
    const { ticket } = await onA.logs.ticket({ id: first.id });
    assert.equal(await opens(b, first.id, ticket), 'open');
    assert.equal(await opens(a, first.id, ticket), 'refused');
  });

  await t.test('both gateways serve it, and every visit is counted once', async () => {
    const count = async () =>
      (await sql<{ n: number }[]>`select coalesce(sum(requests), 0)::int as n from traffic_minutes where deployment_id = ${first.id}`)[0]!
        .n;
    let answered = 0;
    const visit = async (gateway: Replica) => {
      const isRight = (await gateway.visit('steady.localhost')).body === 'steady';
      if (isRight) answered += 1;
      return isRight;
    };
    for (const gateway of both) await until('the gateway knows it', () => visit(gateway));
    await Promise.all(both.flatMap((gateway) => Array.from({ length: 100 }, () => visit(gateway))));
    assert.ok(answered >= 202);
    await until('all are counted', async () => (await count()) >= answered, 15);
    await sleep(1500); // what is written again must not add up
    assert.equal(await count(), answered);
    const writers = await sql`select distinct gateway_id from traffic_minutes where deployment_id = ${first.id}`;
    assert.equal(writers.length, 2);
  });
  await t.test('a server is stopped and started again, and visitors of its agents at the other gateway notice nothing', async (t) => {
    const { has, other } = await whose(pair, first.id, 'instance');
    const before = instances(has);
    const stopVisiting = visitAll(t, [other], { host: 'steady.localhost', expected: 'steady' });
    assert.equal(await has.stop(), 0);
    await has.boot(stopsAgents);
    const { wrong, visits } = await stopVisiting();
    assert.deepEqual(wrong, [], `of ${visits.join(' and ')}`);
    assert.ok(visits[0]! > 20, `only ${visits[0]} visits`);
    assert.deepEqual([instances(has), instances(other)], [before, []], 'the same instance');
    await other.stop();
    await other.boot(stopsAgents);
  });

  await t.test('what is pressed at one server happens at the one that does it', async () => {
    const id = await project('pressed');
    const slow = await deploy(onA, id, {
      'package.json': JSON.stringify({ name: 'slow', version: '1.0.0', scripts: { build: 'sleep 60', start: 'node server.js' } }),
      'server.js': answering('slow'),
    });
    await until('it is being built', async () => (await onA.deployments.get({ id: slow.id })).status === 'building');
    const builder = await whose(pair, slow.id, 'lease');
    const at = async (server: Replica) => apiOf(server.origin, ada.token).deployments;
    await (await at(builder.other)).cancel({ id: slow.id });
    await until('it is stopped', async () => (await onA.deployments.get({ id: slow.id })).status === 'stopped', 15);

    const one = await deploy(onA, id, { 'server.js': answering('one') });
    await reaches(onA, one.id, ['active']);
    const runner = await whose(pair, one.id, 'instance');
    const again = await (await at(runner.other)).redeploy({ id: one.id });
    await reaches(onA, again.id, ['active']);
    const back = await (await at(runner.other)).rollback({ id: one.id });
    await reaches(onA, back.id, ['active']);
    await (await at((await whose(pair, back.id, 'instance')).other)).stop({ id: back.id });
    for (const gateway of both) await until('visitors are told', async () => (await gateway.visit('pressed.localhost')).status === 503);
  });

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
        // Which server takes one is not ours to say: more are deployed until the one to be killed has some at that stage.
        for (let tries = 0; !(await isAt(pair, killed, { ids: made, stage })); tries++) {
          assert.ok(tries < 5, `none was ${stage} at the one to be killed`);
          for (const name of [`${stage}-${tries}-a`, `${stage}-${tries}-b`, ...(tries ? [] : [`${stage}-c`])]) {
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
          assert.equal((await reaches(api, id, ['active'], 120)).id, id);
          for (const gateway of both)
            await until(`${names[n]} answers`, async () => (await gateway.visit(`${names[n]}.localhost`)).body === names[n]);
        }
        await until('nothing is left to the dead one', async () => (await rowsOf(pair, killed)) === 0, 60);
        await killed.boot(stopsAgents);
      }
      for (const server of both)
        await until(
          'it ended what was taken from it',
          async () => isDeepStrictEqual(instances(server).sort(), await named(pair, server)),
          60,
        );
      const { wrong, visits } = await stopVisiting();
      assert.deepEqual(wrong, [], `of ${visits.join(' and ')}`);
      assert.ok(Math.min(...visits) > 200, `only ${visits.join(' and ')} visits`);

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
    await until('the other one has taken over', async () => (await whose(pair, late.id, 'instance')).has === other, 60);
    assert.deepEqual(instances(has), before, 'nothing was stopped blindly');
    has.link.mend(); // it is back long before the new one listens
    for (const server of both)
      await until(
        'each runs its own and nothing else',
        async () => isDeepStrictEqual(instances(server).sort(), await named(pair, server)),
        90,
      );
    const isReady = async () =>
      (await sql`select 1 from deployments where id = ${late.id} and status = 'active' and restart_at is null`).length === 1;
    await until('it is ready there', isReady, 60);
    const { wrong, visits } = await stopVisiting();
    assert.deepEqual(wrong, [], `of ${visits.join(' and ')}`);
    const after = await onA.deployments.get({ id: late.id });
    assert.deepEqual([after.status, after.restarts], ['active', 0]);
  });

  await t.test('each disk is swept by its own node, the shared folder by one', async () => {
    const rows = await sql<{ name: string }[]>`select name from periodic_jobs where name like '%.sweep@%' order by name`;
    assert.deepEqual(
      rows.map((row) => row.name.split('@')[0]),
      ['artifact.sweep', 'artifact.sweep', 'blob.sweep', 'database-backup.sweep', 'database-backup.sweep'],
    );
  });

  await t.test('projects that are deleted at one leave nothing at either', async () => {
    const numbers = (await sql<{ number: number }[]>`select number from log_lines where deployment_id = ${first.id} order by number`).map(
      (row) => row.number,
    );
    const inOrder = numbers.map((_, n) => n + 1);
    assert.deepEqual(numbers, inOrder);
    await until('the reader has them all', async () => lines.got().length >= numbers.length);
    lines.end();
    const read = lines.got().map((line) => line.number);
    assert.deepEqual(read.slice(0, numbers.length), inOrder, 'each once and in order, wherever it was read');
    for (const { id } of (await onB.projects.list({})).projects) await onB.projects.delete({ id });
    await until('they are gone', async () => (await sql`select 1 from projects`).length === 0, 90);
    assert.deepEqual([instances(a), instances(b)], [[], []]);
  });
});
