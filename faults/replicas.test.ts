import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@paddock/contract';
import { deploy, reaches, until } from '../apps/server/test/platform.ts';
import { apiOf } from '../apps/server/test/server.ts';
import { type Replica, startPair, stopsAgents, visitAll, whose } from './replicas/pair.ts';
import { follow, instances, opens, readsAllInOrder, steadyAgent } from './replicas/watch.ts';

const answering = (text: string) => `require('http').createServer((q, r) => r.end('${text}')).listen(process.env.PORT)`;

test('two servers that start together on an empty database behave as one, also when either is stopped', async (t) => {
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
    // A rate limit window may end meanwhile; each window allows ten.
    const windows = await sql<{ count: number }[]>`select count from rate_limits where key = 'login:account:nobody@example.com'`;
    const allowed = windows.reduce((sum, row) => sum + Math.min(10, row.count), 0);
    assert.deepEqual(outcomes, { credentials_wrong: allowed, too_many_attempts: 200 - allowed });
    // The first refusal locks the account: later attempts are not counted.
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
  const first = await deploy(onA, steady, steadyAgent);
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
    await until('all are counted', async () => (await count()) >= answered);
    await sleep(1500); // a row that is written again must not add up
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
    const { wrong, visits } = await stopVisiting(20);
    assert.deepEqual(wrong, [], `of ${visits.join(' and ')}`);
    assert.deepEqual([instances(has), instances(other)], [before, []], 'the same instance');
  });

  await t.test('what is pressed at one server happens at the one that does it', async () => {
    const id = await project('pressed');
    const slow = await deploy(onA, id, {
      'paddock.yaml': 'build: sleep 60\nstart: node server.js\n',
      'server.js': answering('slow'),
    });
    await until('it is being built', async () => (await onA.deployments.get({ id: slow.id })).status === 'building');
    const builder = await whose(pair, slow.id, 'lease');
    const at = async (server: Replica) => apiOf(server.origin, ada.token).deployments;
    await (await at(builder.other)).cancel({ id: slow.id });
    await until('it is stopped', async () => (await onA.deployments.get({ id: slow.id })).status === 'stopped');

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

  await t.test('each disk is swept by its own node, the shared folder by one', async () => {
    const rows = await sql<{ name: string }[]>`select name from periodic_jobs where name like '%.sweep@%' order by name`;
    assert.deepEqual(
      rows.map((row) => row.name.split('@')[0]),
      ['artifact.sweep', 'artifact.sweep', 'blob.sweep', 'database-backup.sweep', 'database-backup.sweep'],
    );
  });

  await t.test('projects that are deleted at one leave nothing at either', async () => {
    await readsAllInOrder(pair, first.id, lines);
    for (const { id } of (await onB.projects.list({})).projects) await onB.projects.delete({ id });
    await until('they are gone', async () => (await sql`select 1 from projects`).length === 0);
    assert.deepEqual([instances(a), instances(b)], [[], []]);
  });
});
