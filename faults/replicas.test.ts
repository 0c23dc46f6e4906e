import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@paddock/contract';
import { WebSocket } from 'ws';
import { type Platform, deploy, reaches, until } from '../apps/server/test/platform.ts';
import { apiOf } from '../apps/server/test/server.ts';
import { type Pair, startPair, visitAll, whose } from './replicas/pair.ts';

const answering = (text: string, more = '') => `${more};require('http').createServer((q, r) => r.end('${text}')).listen(process.env.PORT)`;
const instances = ({ data_dir }: Platform) => {
  const folder = join(data_dir, 'runtime/instances');
  return existsSync(folder) ? readdirSync(folder) : [];
};

test('two servers that start together on an empty database behave as one, through kills of either', async (t) => {
  const pair = await startPair(t);
  const { a, b, both, sql } = pair;

  await t.test('they migrated it once', async () => {
    const steps = await sql<{ name: string }[]>`select name from migrations order by name`;
    const files = readdirSync(join(import.meta.dirname, '../apps/server/src/db/migrations')).sort();
    assert.deepEqual(steps.map((row) => row.name), files);
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
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        apiOf(both[n % 2]!.origin)
          .accounts.login({ email: 'nobody@example.com', password: 'wrong horse' })
          .then(
            () => 'in',
            (error: unknown) => (error as ApiError).code,
          ),
      ),
    );
    // A window may end meanwhile; each has its own ten.
    const windows = await sql<{ count: number }[]>`select count from rate_limits where key = 'login:account:nobody@example.com'`;
    assert.equal(windows.reduce((sum, row) => sum + row.count, 0), 200);
    const allowed = windows.reduce((sum, row) => sum + Math.min(10, row.count), 0);
    assert.equal(outcomes.filter((code) => code === 'credentials_wrong').length, allowed);
    assert.equal(outcomes.filter((code) => code === 'too_many_attempts').length, 200 - allowed);
  });

  await t.test('the same keyed request at both at once makes one project, and the other one hears of it', async () => {
    const version = (await onB.system.changes({ after: 0 })).version;
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
  const first = await deploy(onA, steady, { 'server.js': answering('steady', `let n = 0; setInterval(() => console.log('tick ' + ++n), 50)`) });
  const lines = await follow(pair, first.id, ada.token);
  await reaches(onB, first.id, ['active']);

  await t.test('deployed at one, its log streams live at the other, by a ticket that works once anywhere', async () => {
    await until('lines of the agent arrive at the other server', async () => lines.got().some((line) => line.message === 'tick 20'));
    const { ticket } = await onA.logs.ticket({ id: first.id });
    assert.equal(await opens(b, first.id, ticket), 'open');
    assert.equal(await opens(a, first.id, ticket), 'refused');
  });

  await t.test('both gateways serve it, and every visit is counted once', async () => {
    const count = async () =>
      (await sql<{ n: number }[]>`select coalesce(sum(requests), 0)::int as n from traffic_minutes where deployment_id = ${first.id}`)[0]!.n;
    for (const gateway of both) await until('the gateway knows it', async () => (await gateway.visit('steady.localhost')).body === 'steady');
    let before = -1;
    await until('the counts rest', async () => before === (before = await count()) || void (await sleep(1500)) === null, 20);
    await Promise.all(both.flatMap((gateway) => Array.from({ length: 100 }, () => gateway.visit('steady.localhost'))));
    await until('200 more are counted', async () => (await count()) - before === 200, 15);
    await sleep(1500);
    assert.equal((await count()) - before, 200);
    const writers = await sql`select distinct gateway_id from traffic_minutes where deployment_id = ${first.id}`;
    assert.equal(writers.length, 2);
  });
  lines.end();
});

/** Follows a deployment's log live at the second server. */
async function follow({ b }: Pair, id: string, token: string) {
  const got: { number: number; message: string }[] = [];
  const socket = new WebSocket(`${b.origin.replace('http', 'ws')}/ws/logs/${id}?token=${token}`);
  socket.on('message', (data: Buffer) => got.push(...(JSON.parse(data.toString()) as typeof got)));
  await once(socket, 'open');
  return { got: () => got, end: () => socket.close() };
}

async function opens({ origin }: Platform, id: string, ticket: string): Promise<'open' | 'refused'> {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws/logs/${id}?token=${ticket}`);
  const outcome = await Promise.race([once(socket, 'open').then(() => 'open' as const), once(socket, 'error').then(() => 'refused' as const)]);
  socket.terminate();
  return outcome;
}
