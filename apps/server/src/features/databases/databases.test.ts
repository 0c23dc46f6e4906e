import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { zip } from '../../../test/archives.ts';
import { countingAgent, isListening, serverAt } from '../../../test/database-agent.ts';
import { type Platform, reaches, startPlatform, until } from '../../../test/platform.ts';
import type { Api } from '../../../test/server.ts';
import { connect } from '../../db/connect.ts';

let shared: Promise<Platform> | undefined;
/** A platform shared by all tests that do not break it. */
const platform = () => (shared ??= startPlatform(undefined));
const ask = async (paddock: Platform, host: string, path: string) => JSON.parse((await paddock.visit(host, path)).body) as unknown;
const managed = (api: Api, project_id: string, files = countingAgent()) =>
  api.deployments.create({ project_id, database_mode: 'managed', file: zip(files), file_name: 'agent.zip' });
const messages = async (api: Api, id: string) => (await api.logs.list({ id, limit: 500 })).logs.map((line) => line.message);

test('an agent in managed mode gets databases that work and keep what it wrote over a redeploy, a stop and a new password', async () => {
  const paddock = await platform();
  const { api } = await paddock.person();
  const { id: project_id } = await api.projects.create({ name: 'counting' });
  const host = 'counting.localhost';
  const first = await managed(api, project_id);
  assert.equal(first.database_mode, 'managed');
  await reaches(api, first.id, ['active']);
  assert.equal(await ask(paddock, host, '/postgres'), 1);
  assert.equal(await ask(paddock, host, '/redis'), 1);

  const { databases, total } = await api.databases.list({ project_id });
  assert.equal(total, 2);
  const byType = databases.toSorted((a, b) => a.type.localeCompare(b.type));
  assert.deepEqual(
    byType.map(({ type, mode, status, host, environment }) => [type, mode, status, host, environment]),
    [
      ['postgresql', 'managed', 'available', '127.0.0.1', 'production'],
      ['redis', 'managed', 'available', '127.0.0.1', 'production'],
    ],
  );
  const [postgres, redis] = [byType[0]!, byType[1]!];
  assert.deepEqual((await api.deployments.get({ id: first.id })).databases, [
    { id: postgres.id, type: 'postgresql', env_var: 'DATABASE_URL', status: 'available' },
    { id: redis.id, type: 'redis', env_var: 'REDIS_URL', status: 'available' },
  ]);

  const again = await api.deployments.redeploy({ id: first.id });
  await reaches(api, again.id, ['active']);
  assert.equal(await ask(paddock, host, '/postgres'), 2);
  assert.equal(await ask(paddock, host, '/redis'), 2);

  // The owner can use the same string on this machine.
  const shown = await api.databases.connectionString({ id: postgres.id });
  assert.equal(shown.env_var, 'DATABASE_URL');
  assert.equal(shown.command, `psql '${shown.connection_string}'`);
  const old = connect(shown.connection_string, { max: 1 });
  assert.deepEqual([...(await old`select count(*)::int as n from counts`)], [{ n: 2 }]);
  await old.end();
  const shownRedis = await api.databases.connectionString({ id: redis.id });
  assert.match(shownRedis.command, /^redis-cli -u 'redis:\/\/agent:[\w-]{32}@127\.0\.0\.1:\d+\/0'$/);

  await api.databases.rotatePassword({ id: postgres.id });
  const now = (await api.databases.connectionString({ id: postgres.id })).connection_string;
  assert.notEqual(now, shown.connection_string);
  const refused = connect(shown.connection_string, { max: 1 });
  await assert.rejects(async () => await refused`select 1`, { code: '28P01' });
  await refused.end();
  await until(
    'the agent has the new password',
    async () => ((await ask(paddock, host, '/urls').catch(() => ({}))) as { DATABASE_URL?: string }).DATABASE_URL === now,
  );
  assert.equal(await ask(paddock, host, '/postgres'), 3);
  await until('its log says so', async () =>
    (await messages(api, again.id)).some((line) => line.includes('The password of the PostgreSQL database was changed')),
  );

  await api.databases.stop({ id: redis.id });
  await until('it is stopped', async () => (await api.databases.get({ id: redis.id })).status === 'stopped');
  assert.ok(((await ask(paddock, host, '/redis')) as { error?: string }).error, 'nobody answers');
  await assert.rejects(api.databases.rotatePassword({ id: redis.id }), { code: 'database_not_ready' });
  await api.databases.start({ id: redis.id });
  await until('it is available again', async () => (await api.databases.get({ id: redis.id })).status === 'available');
  await until('the agent counts on', async () => (await ask(paddock, host, '/redis')) === 3);

  // The passwords appear nowhere else.
  const passwords = [shown.connection_string, now, shownRedis.connection_string].map((url) => new URL(url).password);
  const sql = connect(paddock.databaseUrl, { max: 1 });
  try {
    for (const table of ['databases', 'database_tasks', 'log_lines', 'deployments', 'idempotency_keys', 'alerts', 'periodic_jobs']) {
      const rows = await sql.unsafe(`select * from ${table}`);
      const text = JSON.stringify(rows, (_, value: { type?: string; data?: number[] }) =>
        value?.type === 'Buffer' ? Buffer.from(value.data ?? []).toString('latin1') : value,
      );
      for (const password of passwords) assert.ok(!text.includes(password), `in ${table}`);
    }
  } finally {
    await sql.end();
  }
  for (const password of passwords) assert.ok(!readFileSync(paddock.log_file, 'utf8').includes(password), 'in the output of the server');
});

test('a database server that is killed under load is back with every row that was acknowledged, and the log of its agent says so', async () => {
  const paddock = await platform();
  const { api } = await paddock.person();
  const { id: project_id } = await api.projects.create({ name: 'falling' });
  const made = await managed(api, project_id);
  await reaches(api, made.id, ['active']);
  const postgres = (await api.databases.list({ project_id })).databases.find((one) => one.type === 'postgresql')!;
  const before = await api.databases.connectionString({ id: postgres.id });
  const port = new URL(before.connection_string).port;
  let counted = (await ask(paddock, 'falling.localhost', '/postgres')) as number;
  const server = serverAt(Number(port));
  assert.ok(server);
  process.kill(server, 'SIGKILL');
  // Until then a process of the dead server may still respond.
  await until('another server listens', async () => ![server, undefined].includes(serverAt(Number(port))));
  await until('it counts again', async () => {
    const answer = await ask(paddock, 'falling.localhost', '/postgres').catch(() => undefined);
    if (typeof answer !== 'number') return false;
    assert.ok(answer > counted, `${answer} after ${counted}`);
    counted = answer;
    return true;
  });
  await until('the agent is told', async () =>
    (await messages(api, made.id)).some((line) =>
      /^The PostgreSQL database stopped unexpectedly \(.+\) and was started again after \d+ ms$/.test(line),
    ),
  );
  const now = await api.databases.get({ id: postgres.id });
  assert.deepEqual([now.status, now.status_message, now.port], ['available', null, Number(port)]);
  assert.deepEqual(await api.databases.connectionString({ id: postgres.id }), before);

  await api.projects.delete({ id: project_id });
  await until('its servers are gone', async () => !isListening(Number(port)));
  const sql = connect(paddock.databaseUrl, { max: 1 });
  try {
    await until('nothing is left of the project', async () => {
      const [left] = await sql<[{ n: number }]>`
        select (
          select count(*)::int
          from projects
          where id = ${project_id}
        ) + (
          select count(*)::int
          from databases
          where project_id = ${project_id}
        ) as n`;
      return left.n === 0;
    });
  } finally {
    await sql.end();
  }
  assert.ok(!existsSync(join(paddock.dataDir, 'databases', postgres.id)), 'nor of its data');
});

test('another team finds no database, and what one is given by hand is tried, kept sealed and injected', async () => {
  const paddock = await platform();
  const [ada, eve] = [await paddock.person(), await paddock.person()];
  const { id: project_id } = await ada.api.projects.create({ name: 'byo' });
  const file = { file: zip(countingAgent()), file_name: 'agent.zip', project_id };
  await assert.rejects(ada.api.deployments.create({ ...file, database_mode: 'byo', postgres_url: 'http://x' }), { code: 'input_invalid' });
  await assert.rejects(ada.api.deployments.create({ ...file, database_mode: 'byo' }), { code: 'input_invalid' });
  const inside = { database_mode: 'byo', postgres_url: 'postgres://u:p@127.0.0.1:5432/x' } as const;
  await assert.rejects(ada.api.deployments.create({ ...file, ...inside }), { code: 'database_address_refused' });
  const given = 'postgres://u:CANARY@db.invalid/x';
  const made = await ada.api.deployments.create({ ...file, database_mode: 'external', postgres_url: given });
  assert.equal(made.database_mode, 'byo');
  await reaches(ada.api, made.id, ['active']);
  assert.deepEqual(await ask(paddock, 'byo.localhost', '/urls'), { DATABASE_URL: given });
  const [row] = (await ada.api.databases.list({ project_id })).databases;
  assert.deepEqual([row?.mode, row?.type, row?.status, row?.host], ['byo', 'postgresql', 'unreachable', 'db.invalid']);
  assert.ok(
    (await messages(ada.api, made.id)).some((line) => line.startsWith('The PostgreSQL database that was brought along does not answer')),
  );
  assert.equal((await ada.api.databases.connectionString({ id: row!.id })).connection_string, given);
  for (const call of ['stop', 'start', 'rotatePassword'] as const)
    await assert.rejects(ada.api.databases[call]({ id: row!.id }), { code: 'database_not_managed' });
  for (const call of ['get', 'connectionString', 'delete', 'start', 'stop', 'rotatePassword'] as const)
    await assert.rejects(eve.api.databases[call]({ id: row!.id }), { code: 'database_not_found' });
  assert.deepEqual((await eve.api.databases.list({ project_id })).databases, []);
  await assert.rejects(eve.api.databases.create({ project_id, type: 'postgresql', url: given }), { code: 'project_not_found' });
  await assert.rejects(eve.api.deployments.create({ ...file, database_mode: 'managed' }), { code: 'project_not_found' });
  await ada.api.databases.delete({ id: row!.id });
  const bare = await ada.api.deployments.redeploy({ id: made.id });
  await reaches(ada.api, bare.id, ['active']);
  // The gateway is notified a moment later.
  const urls = async () => ask(paddock, 'byo.localhost', '/urls');
  await until('the new deployment answers, without an address', async () => Object.keys((await urls()) as object).length === 0);
  const warned = async () => (await messages(ada.api, bare.id)).some((line) => line.startsWith('No address of a database is stored'));
  await until('its log says that there is no address', warned);
  await assert.rejects(ada.api.databases.get({ id: row!.id }), { code: 'database_not_found' });
});
