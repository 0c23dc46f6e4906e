import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { DatabaseDriver, DatabaseState } from '@paddock/database-driver';
import { databaseRows, node } from '../../../../test/database-rows.ts';
import { until } from '../../../../test/platform.ts';
import { listenForChanges } from '../../../db/changes.ts';
import { noReserve } from '../../../disk/reserve.ts';
import { newId } from '../../../ids.ts';
import { createLog } from '../../../log.ts';
import type { Task, TaskHandler } from '../rows.ts';
import { nodeDatabases } from './node-store.ts';
import { startReconciler } from './reconciler.ts';
import { toDatabaseSpec } from './spec.ts';
import { rotateTask, taskRunner } from './task-runner.ts';

/** A fake host, because a real one cannot be made to fail at a chosen moment. */
function host() {
  const servers = new Map<string, DatabaseState['state']>();
  const [started, removed, passwords]: [string[], string[], string[]] = [[], [], []];
  const world = { port: 5001, fails: 0, servers, started, removed, passwords };
  const driver: Pick<DatabaseDriver, 'start' | 'stop' | 'remove' | 'list' | 'tidy' | 'setPassword'> = {
    async start({ id }) {
      started.push(id);
      if (world.fails-- > 0) throw new Error('no room for it');
      servers.set(id, 'running');
      return { host: '127.0.0.1', port: world.port, version: '18.4' };
    },
    async stop(id) {
      if (servers.has(id)) servers.set(id, 'stopped');
    },
    async remove(id) {
      removed.push(id);
      servers.delete(id);
    },
    list: async () =>
      [...servers].map(([id, state]) => ({
        id,
        type: 'postgresql',
        state,
        ...(state === 'exited' ? { reason: 'It was ended by SIGKILL; it last said: nothing of use' } : {}),
      })),
    setPassword: async ({ password }) => void passwords.push(password),
    tidy: async () => undefined,
  };
  return { ...world, world, driver: driver as DatabaseDriver };
}

async function keeping(t: TestContext) {
  const rows = await databaseRows(t);
  const { world, driver } = host();
  const changes = await listenForChanges(rows.sql);
  const store = nodeDatabases(rows.sql, node, 'machine');
  const told: string[] = [];
  const renewed: string[] = [];
  const backupsDir = join(rows.dataDir, 'backups');
  const spec = toDatabaseSpec(rows.seal, { memory_mb: 256, cpus: 1, connections: 50 });
  const renew = async (_: unknown, { project_id }: { project_id: string }) => void renewed.push(project_id);
  const tell = async (_: unknown, level: string, message: string) => void told.push(`${level}: ${message}`);
  const begin = (backup: TaskHandler = async () => undefined) => {
    const handlers = { rotate: rotateTask({ driver, store, seal: rows.seal, renew, tell }), backup, restore: backup };
    const runTask = taskRunner({ store, handlers, toDatabaseSpec: spec });
    const keeper = startReconciler({
      store,
      driver,
      toDatabaseSpec: spec,
      runTask,
      renew,
      tell,
      alerts: rows.alerts,
      backupsDir,
      changes,
      reserve: noReserve,
      log: createLog('silent'),
    });
    t.after(() => keeper.close());
    return keeper;
  };
  t.after(() => changes.close());
  const now = async (id: string) =>
    (await rows.sql<{ status: string; status_message: string | null; port: number | null }[]>`select * from databases where id = ${id}`)[0];
  const task = async (database_id: string, team_id: string, more: Record<string, unknown>) => {
    const id = newId('tsk');
    await rows.sql`insert into database_tasks ${rows.sql({ id, team_id, database_id, kind: 'backup', ...more })}`;
    return id;
  };
  const taskNow = async (id: string) =>
    (await rows.sql<(Task & { status: string; error_message: string | null })[]>`select * from database_tasks where id = ${id}`)[0]!;
  return { ...rows, world, begin, told, renewed, now, task, taskNow, backupsDir };
}

test('what should run is started, and what cannot be is tried again with a pause and says why', async (t) => {
  const { team, row, now, world, begin, sql } = await keeping(t);
  const of = await team();
  const id = await row(of, { status: 'provisioning', port: null, host: null });
  world.fails = 2;
  const keeper = begin();
  // Checked in one read: the next attempt may begin at any moment.
  await until('it has failed and says why', async () => {
    const seen = await now(id);
    return seen?.status === 'failed' && seen.status_message === 'no room for it';
  });
  await until('it is available', async () => (await now(id))?.status === 'available');
  assert.deepEqual([(await now(id))?.status_message, (await now(id))?.port, world.started.length], [null, 5001, 3]);
  await until('it is looked after', async () => keeper.live()[0]?.spec.password === 'password');
  await sql`update databases set wanted = 'stopped' where id = ${id}`;
  await until('it is stopped', async () => (await now(id))?.status === 'stopped');
  assert.deepEqual([world.servers.get(id), keeper.live()], ['stopped', []]);
});

test('one that cannot be started three times in a row is an alert, which ends when it is up', async (t) => {
  const { team, row, now, world, begin, sql } = await keeping(t);
  const of = await team();
  const id = await row(of, { port: 5001 });
  const alerts = () => sql<{ message: string; is_open: boolean; severity: string }[]>`
    select message, severity, resolved_at is null as is_open
    from alerts
    where database_id = ${id}
      and rule = 'database_failed'`;
  world.fails = 4;
  begin();
  await until('the alert is there', async () => (await alerts()).some((one) => one.is_open));
  assert.deepEqual((await alerts())[0], {
    message:
      'The PostgreSQL database does not start, and is tried again about once a minute. If it goes on, restore a backup over it. no room for it',
    severity: 'critical',
    is_open: true,
  });
  assert.ok(world.started.length >= 3, 'a single failure is told by the card alone');
  await sql`update databases set wanted = 'running' where id = ${id}`;
  await sql`select pg_notify('databases', ${id})`;
  await until('it is available', async () => (await now(id))?.status === 'available');
  await until('the alert is over', async () => (await alerts()).every((one) => !one.is_open));
  assert.equal((await alerts()).length, 1);
});

test('one that ended by itself is started at once and its agents are told, and one that moved has them start anew', async (t) => {
  const { team, row, now, world, begin, told, renewed } = await keeping(t);
  const of = await team();
  const id = await row(of, { port: 5001 });
  world.servers.set(id, 'running');
  const keeper = begin();
  await until('it is adopted', async () => keeper.isLive(id));
  assert.deepEqual([told, renewed], [[], []]);
  world.servers.set(id, 'exited');
  await until('its agents are told', async () => told.length > 0);
  assert.match(
    told[0]!,
    /^warning: The PostgreSQL database stopped unexpectedly \(it was ended by SIGKILL\) and was started again after \d+ ms$/,
  );
  assert.deepEqual(renewed, [], 'its port is the same');
  world.port = 5002;
  world.servers.set(id, 'exited');
  await until('its agents start anew', async () => renewed.length > 0);
  assert.deepEqual([renewed, (await now(id))?.port], [[of.project_id], 5002]);
  await until('they are told why', async () => told.some((line) => line.includes('answers at another port')));
});

test('what runs without a row is stopped and stays, and what is deleted goes with its backups and its row', async (t) => {
  const { team, row, now, world, begin, backupsDir } = await keeping(t);
  const id = await row(await team(), { wanted: 'deleted', status: 'deleting' });
  await mkdir(join(backupsDir, id), { recursive: true });
  world.servers.set(id, 'running').set('db_stray', 'running');
  begin();
  await until('it is gone', async () => (await now(id)) === undefined);
  await until('the stray is stopped', async () => world.servers.get('db_stray') === 'stopped');
  assert.deepEqual(world.removed, [id], 'and nothing else is removed');
  assert.ok(!existsSync(join(backupsDir, id)));
});

test('tasks are carried out in order, one that a dead server left is begun anew, and the fourth time it has failed', async (t) => {
  const { team, row, seal, begin, task, taskNow } = await keeping(t);
  const of = await team();
  const id = await row(of, { port: 5001 });
  const at = (n: number) => new Date(Date.now() - 60_000 + n * 1000).toISOString();
  const worn = await task(id, of.team_id, { status: 'running', attempts: 3, created_at: at(0) });
  const left = await task(id, of.team_id, { status: 'running', attempts: 1, created_at: at(1) });
  const bad = await task(id, of.team_id, { created_at: at(2), backup_id: 'bad' });
  const secret = seal.seal('new-password', `database:${id}`);
  const rotation = await task(id, of.team_id, {
    kind: 'rotate',
    secret_sealed: secret.sealed,
    secret_key_id: secret.key_id,
    created_at: at(3),
  });
  const ran: string[] = [];
  let atOnce = 0;
  const keeper = begin(async ({ id: one, backup_id }) => {
    assert.equal(++atOnce, 1, 'one at a time');
    ran.push(one);
    await new Promise((resolve) => setTimeout(resolve, 20));
    atOnce -= 1;
    if (backup_id === 'bad') throw new Error('The disk is full.');
  });
  await until('the last one is done', async () => (await taskNow(rotation)).status === 'done');
  assert.deepEqual(ran, [left, bad]);
  assert.deepEqual([(await taskNow(worn)).status, (await taskNow(left)).status, (await taskNow(left)).attempts], ['failed', 'done', 2]);
  assert.deepEqual([(await taskNow(bad)).status, (await taskNow(bad)).error_message], ['failed', 'The disk is full.']);
  assert.equal((await taskNow(rotation)).secret_sealed, null, 'nor is the secret kept twice');
  await until('it is spoken to with the new one', async () => keeper.live()[0]?.spec.password === 'new-password');
});

test('a task that the end of the server cuts short waits for the next one and is not counted', async (t) => {
  const { team, row, begin, task, taskNow } = await keeping(t);
  const of = await team();
  const id = await row(of, { port: 5001 });
  const cut = await task(id, of.team_id, {});
  const first = begin(
    (_, __, signal) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
  );
  await until('it is under way', async () => (await taskNow(cut)).status === 'running');
  await first.close();
  assert.deepEqual([(await taskNow(cut)).status, (await taskNow(cut)).attempts], ['queued', 0]);
  begin();
  await until('the next one does it', async () => (await taskNow(cut)).status === 'done');
});

test('rows without a node are taken where their agent is, and left to the node that is about to claim it', async (t) => {
  const { team, sql, world, begin, row, now } = await keeping(t);
  const [here, coming] = [await team(), await team()];
  const old = {
    node: null,
    machine: null,
    status: 'provisioning',
    port: null,
    host: null,
    created_at: new Date(Date.now() - 60_000).toISOString(),
  };
  const [mine, others] = [await row(here, old), await row(coming, old)];
  for (const [{ team_id, project_id }, status] of [
    [here, 'active'],
    [coming, 'queued'],
  ] as const)
    await sql`
      insert into deployments (
        id, team_id, project_id, environment, status, database_mode, node, source_blob, source_name, source_bytes, created_by
      )
      values (
        ${newId('dep')}, ${team_id}, ${project_id}, 'production', ${status}, 'managed', ${status === 'active' ? node : null},
        'b', 'n', 1, 'u'
      )`;
  begin();
  await until('it is available', async () => (await now(mine))?.status === 'available');
  assert.deepEqual([world.started, (await now(others))?.status], [[mine], 'provisioning']);
});

test('one that is deleted does not wait for its backup', async (t) => {
  const { team, sql, row, begin, task, taskNow, now } = await keeping(t);
  const of = await team();
  const id = await row(of, { port: 5001 });
  const long = await task(id, of.team_id, {});
  begin((_, __, signal) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))));
  await until('it is under way', async () => (await taskNow(long)).status === 'running');
  await sql`update databases set wanted = 'deleted', status = 'deleting' where id = ${id}`;
  await until('it is gone', async () => (await now(id)) === undefined);
});

test('long tasks keep no database from being started again', async (t) => {
  const { team, row, begin, task, taskNow, world } = await keeping(t);
  const of = await team();
  const ids: string[] = [];
  for (let n = 0; n < 5; n++)
    ids.push(
      await row(
        { ...of },
        { port: 5001, environment: n < 2 ? 'production' : 'preview', type: n % 2 ? 'redis' : 'postgresql', is_attached: n < 4 },
      ),
    );
  const long = await Promise.all(ids.slice(0, 4).map((id) => task(id, of.team_id, {})));
  const ends: (() => void)[] = [];
  const keeper = begin(() => new Promise((resolve) => ends.push(resolve)));
  await until('two are under way', async () => ends.length === 2);
  const idle = ids[4]!;
  await until('the others run', async () => keeper.isLive(idle));
  world.servers.set(idle, 'exited');
  await until('it runs again', async () => world.servers.get(idle) === 'running');
  assert.equal(ends.length, 2, 'the others wait');
  for (let ended = 0; ended < 4; ended++) {
    await until('the next one is under way', async () => ends.length > ended);
    ends[ended]!();
  }
  await until('all are done', async () => (await Promise.all(long.map(taskNow))).every((one) => one.status === 'done'));
});
