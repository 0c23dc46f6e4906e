import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { connect } from '../../apps/server/src/db/connect.ts';
import { type Scope, until } from '../../apps/server/test/platform.ts';
import { testDatabase } from '../../apps/server/test/postgres.ts';
import type { Fault } from '../fault.ts';
import { checkInvariants } from '../invariants/check.ts';
import { onlyThese } from '../store-checks.ts';
import { type Answer, call, callAll, storeWorld } from '../store-world.ts';

/** The agent goes on counting while nothing can be stored. */
async function diskFull(scope: Scope) {
  const { world, paddock, disk } = await storeWorld(scope, { disk_mb: 160, postgres: { max_wal_size: '64MB', min_wal_size: '32MB' } });
  const { token } = world;
  await disk!.fill();
  const writes: Answer[] = [];
  for (let n = 0; n < 400 && writes.filter(({ status }) => status !== 201).length < 3; n++)
    writes.push(
      await call(paddock, token, { method: 'POST', path: '/projects', body: { name: `full-${n}`, description: 'x'.repeat(280) } }),
    );
  onlyThese(writes, [201, 503, 507], 10_000);
  const refused = writes.filter(({ status }) => status !== 201);
  assert.ok(refused.length >= 3, 'the disk was not full');
  await sleep(3000);
  const reads: Answer[] = [];
  for (let n = 0; n < 20; n++) reads.push(await call(paddock, token, { path: '/projects' }));
  onlyThese(reads, [200], 5_000);
  await disk!.free();
  await until(
    'writing works',
    async () => (await call(paddock, token, { method: 'POST', path: '/projects', body: { name: 'after' } })).status < 300,
    10,
  );
  await sleep(2000);
  return `writes ${[...new Set(refused.map(({ status, code }) => `${status} ${code}`))].join(', ')}; reads 200; healed when there was space; ${await checkInvariants(world)}`;
}

/** Other clients take every connection that PostgreSQL has. */
async function noConnections(scope: Scope) {
  const { world, paddock, database } = await storeWorld(scope, { postgres: { max_connections: 20, superuser_reserved_connections: 0 } });
  const taken: postgres.Sql[] = [];
  scope.after(() => Promise.all(taken.map((sql) => sql.end({ timeout: 1 }))));
  for (let refusals = 0; refusals < 3 && taken.length < 40; ) {
    const one = postgres(database.url, { max: 1 });
    taken.push(one);
    await one`select 1`.catch(() => (refusals += 1));
  }
  const callers = Array.from({ length: 12 }, () => callAll(() => call(paddock, world.token, { path: '/projects' }), 20));
  await sleep(4000);
  const answers = (await Promise.all(callers.map((one) => one.stop()))).flat();
  const slowest = onlyThese(answers, [200, 503], 10_000);
  await Promise.all(taken.splice(0).map((sql) => sql.end({ timeout: 1 })));
  await until('all are answered again', async () => {
    const calls = await Promise.all(Array.from({ length: 8 }, () => call(paddock, world.token, { path: '/projects' })));
    return calls.every(({ status }) => status === 200);
  });
  const refused = answers.filter(({ status }) => status === 503).length;
  return `${answers.length} calls of 12 at once, ${refused} × 503, the slowest ${Math.round(slowest)} ms; ${await checkInvariants(world)}`;
}

/** Another session holds a lock that every list of projects needs. */
async function lockHeld(scope: Scope, seconds: number) {
  const { world, paddock, database } = await storeWorld(scope);
  const holder = postgres(database.url, { max: 1 });
  scope.after(() => holder.end({ timeout: 1 }));
  const locked = Promise.withResolvers<void>();
  const held = holder.begin(async (tx) => {
    await tx`lock table projects in access exclusive mode`;
    locked.resolve();
    await sleep(seconds * 1000);
  });
  await locked.promise;
  const blocked = Array.from({ length: 10 }, () => callAll(() => call(paddock, world.token, { path: '/projects' }), 100));
  const free = callAll(() => call(paddock, world.token, { path: '/auth/me' }));
  await sleep((seconds - 1) * 1000);
  assert.deepEqual([...new Set((await free.stop()).map(({ status }) => status))], [200], 'what needs no lock is answered');
  await held;
  const answers = (await Promise.all(blocked.map((one) => one.stop()))).flat();
  const slowest = onlyThese(answers, [200, 503], 12_000);
  assert.ok(answers.some(({ status }) => status === 503));
  await until('lists work', async () => (await call(paddock, world.token, { path: '/projects' })).status === 200);
  return `${answers.length} calls that needed it, the slowest answered after ${Math.round(slowest)} ms; ${free.answers.length} others all 200, the slowest ${Math.round(Math.max(...free.answers.map(({ ms }) => ms)))} ms; ${await checkInvariants(world)}`;
}

/** Two transactions take two locks in opposite order (deadlock), and two serializable ones conflict. */
async function givenWay(scope: Scope) {
  const database = await testDatabase();
  const sql = connect(database.url, { max: 4 });
  scope.after(async () => {
    await sql.end();
    await database.drop();
  });
  await sql`create table pairs (id integer primary key, n integer not null)`;
  await sql`insert into pairs values (1, 0), (2, 0)`;
  let tries = 0;
  const add = (first: number, second: number) =>
    sql.begin(async (tx) => {
      tries += 1;
      await tx`update pairs set n = n + 1 where id = ${first}`;
      await sleep(200);
      await tx`update pairs set n = n + 1 where id = ${second}`;
    });
  await Promise.all([add(1, 2), add(2, 1)]);
  assert.deepEqual([...(await sql`select n from pairs`)], [{ n: 2 }, { n: 2 }]);
  // On a busy machine the aborted transaction can be back before the other one has moved on, and they deadlock once more.
  assert.ok(tries >= 3 && tries <= 6, `one of them gave way and was tried again: ${tries} tries`);
  const raise = () =>
    sql.begin(async (tx) => {
      await tx`set transaction isolation level serializable`;
      await tx`select n from pairs where id = 1`;
      await sleep(200);
      await tx`update pairs set n = n + 1 where id = 1`;
    });
  await Promise.all([raise(), raise()]);
  assert.deepEqual([...(await sql`select n from pairs where id = 1`)], [{ n: 4 }]);
  let endless = 0;
  const never = sql.begin(async (tx) => {
    endless += 1;
    await tx`do $$ begin raise exception using errcode = '40001'; end $$`;
  });
  await assert.rejects(never, { code: '40001' });
  assert.equal(endless, 3);
  return `a deadlock and a collision each ended well after ${tries - 2} more try; one that never ends is given up after 3`;
}

export const faults: Fault[] = [
  {
    id: 'postgres-disk-full',
    fault: "F14: the database's disk is full",
    expected: 'writes are refused with 503 or 507, reads and agents go on, no line is lost, and it heals when there is space',
    run: (_seed, scope) => diskFull(scope),
  },
  {
    id: 'postgres-no-connections',
    fault: 'F15: others take every connection of PostgreSQL',
    expected: 'what cannot be served within seconds is 503, nothing locks up, and it heals',
    run: (_seed, scope) => noConnections(scope),
  },
  {
    id: 'postgres-lock-held',
    fault: 'F16: a lock on the projects is held for 60 s',
    expected: 'what needs it is 503 after 5 s, what does not is served, nothing piles up',
    run: (_seed, scope) => lockHeld(scope, 60),
  },
  {
    id: 'postgres-deadlock',
    fault: 'F17: transactions deadlock and collide',
    expected: 'they are tried again, at most three times, and have their effect once',
    short: true,
    run: (_seed, scope) => givenWay(scope),
  },
];
