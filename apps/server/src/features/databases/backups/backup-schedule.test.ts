import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { type BackupWorld, backupWorld } from '../../../../test/backups.ts';
import { calledBy, node } from '../../../../test/database-rows.ts';
import { noReserve } from '../../../disk/reserve.ts';
import { newId } from '../../../ids.ts';
import { createIsolatedLoop } from '../../../jobs/isolated-loop.ts';
import { createLog } from '../../../log.ts';
import { backupJobs, dueFor, scheduleBackups, sweepBackups, timeOfDay } from './backup-schedule.ts';
import { backupFile } from './backup-tasks.ts';

let world: BackupWorld;
const log = createLog('silent');
const each = createIsolatedLoop(log, 'backup cleanup');
before(async () => {
  world = await backupWorld();
});

test('daily backups are due at a time of day of their own, once a day, and soon after when the server was off', () => {
  const times = Array.from({ length: 400 }, (_, index) => timeOfDay(`db_${index}`));
  for (let hour = 0; hour < 24; hour++)
    assert.ok(
      times.some((time) => Math.floor(time / 3_600_000) === hour),
      `some at ${hour} o'clock`,
    );
  assert.equal(timeOfDay('db_1'), timeOfDay('db_1'));
  const day = Date.parse('2026-11-21T00:00:00Z');
  const slot = day + timeOfDay('db_1');
  const at = (ms: number) => new Date(ms).toISOString();
  const [minute, hour, whole] = [60_000, 3_600_000, 86_400_000];
  const due = (now: number, last_daily: number | null, more: { created?: number; failed?: number } = {}) =>
    dueFor(
      {
        id: 'db_1',
        created_at: at(more.created ?? day - 30 * whole),
        last_daily: last_daily === null ? null : at(last_daily),
        last_failure: more.failed ? at(more.failed) : null,
      },
      now,
    ) !== undefined;
  assert.equal(due(slot - minute, slot - whole + minute), false);
  assert.equal(due(slot + minute, slot - whole + minute), true);
  assert.equal(due(slot + 2 * minute, slot + minute), false);
  assert.equal(due(slot - minute, slot - 2 * whole), true, 'a day was missed');
  assert.equal(due(slot + minute, null, { created: slot - minute }), true);
  assert.equal(due(slot + minute, null, { created: slot + 1 }), false, 'a new one waits for its time');
  assert.equal(due(slot + 30 * minute, slot - whole, { failed: slot + minute }), false);
  assert.equal(due(slot + minute + hour, slot - whole, { failed: slot + minute }), true, 'one that failed is tried again in an hour');
});

test('a database that should run and cannot be backed up at its time is told of, once, until a backup is made', async () => {
  const ada = await world.team();
  const old = { created_at: '2026-01-01T00:00:00Z', is_attached: false };
  // A database whose time of day was not just a moment ago.
  const isLong = (one: string) => (Date.now() - timeOfDay(one) + 86_400_000) % 86_400_000 > 4_000_000;
  let id = await world.row(ada, { ...old, status: 'failed' });
  for (let tries = 0; tries < 20 && !isLong(id); tries++) {
    await world.sql`update databases set status = 'stopped' where id = ${id}`;
    id = await world.row(ada, { ...old, status: 'failed' });
  }
  const fresh = await world.row(ada, { type: 'redis', status: 'failed' });
  await scheduleBackups({ ...world, each });
  const told = await world.openAlerts(ada);
  assert.equal(told.length, 1);
  assert.match(told[0] ?? '', /^The daily backup of the PostgreSQL database could not be made/);
  for (const alert of (await world.alerts.list(ada.team_id, { limit: 5 })).rows) await world.alerts.resolve(ada.team_id, alert.id);
  await scheduleBackups({ ...world, each });
  assert.deepEqual(await world.openAlerts(ada), [], 'whoever resolved it knows of it');
  await world.sql`update databases set status = 'available' where id = ${id}`;
  await world.made(ada, id);
  const [{ n }] = await world.sql<
    [{ n: number }]
  >`select count(*)::int as n from alerts where team_id = ${ada.team_id} and cleared_at is null`;
  assert.equal(n, 0);
  assert.equal((await world.listed(ada, fresh)).backups.length, 0, 'a new one waits for its time');
  await world.sql`update databases set status = 'stopped' where id = ${id}`;
});

test('the schedule queues a daily backup of what is available on its node, a few at a time', async () => {
  const ada = await world.team();
  const old = { created_at: '2026-01-01T00:00:00Z' };
  const here = await world.row(ada, old);
  const elsewhere = await world.row(ada, { ...old, environment: 'preview', node: 'another' });
  const stopped = await world.row(ada, { ...old, type: 'redis', status: 'stopped' });
  const others = [];
  for (let count = 0; count < 6; count++) others.push(await world.row(ada, { ...old, name: `copy-${count}`, is_attached: false }));
  const queued = async () =>
    (
      await world.sql<
        { database_id: string }[]
      >`select database_id from database_backups where team_id = ${ada.team_id} and trigger = 'daily'`
    ).map((row) => row.database_id);
  await scheduleBackups({ ...world, each });
  assert.equal((await queued()).length, 4);
  await scheduleBackups({ ...world, each });
  await scheduleBackups({ ...world, each });
  assert.deepEqual((await queued()).sort(), [here, ...others].sort());
  assert.ok(!(await queued()).some((id) => id === elsewhere || id === stopped));
  assert.deepEqual(
    backupJobs({ ...world, node, reserve: noReserve, log }).map(({ of }) => of),
    [node, node],
  );
});

test('daily backups go after a week, with their files, but never the newest one', async () => {
  const ada = await world.team();
  const id = await world.row(ada);
  const days = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString();
  const old = async (age: number, more: object = {}) => {
    const backup = newId('bak');
    const times = { created_at: days(age), finished_at: days(age), expires_at: days(age - 7) };
    await world.sql`insert into database_backups ${world.sql({ id: backup, team_id: ada.team_id, database_id: id, trigger: 'daily', status: 'available', ...times, ...more })}`;
    await mkdir(join(world.backupsDir, id), { recursive: true });
    await writeFile(backupFile(world.backupsDir, { database_id: id, id: backup }), 'x');
    return backup;
  };
  await old(10);
  await old(9);
  const eight = await old(8);
  const manual = await old(20, { trigger: 'manual', expires_at: null });
  const left = async () => new Set((await world.listed(ada, id)).backups.map((one) => one.id));
  await sweepBackups({ ...world, each });
  assert.deepEqual(await left(), new Set([eight, manual]), 'the newest stays although it is too old');
  assert.deepEqual(new Set(await readdir(join(world.backupsDir, id))), new Set([eight, manual]));
  const fresh = await old(1);
  await sweepBackups({ ...world, each });
  assert.deepEqual(await left(), new Set([fresh, manual]));
});

test('a backup whose file cannot be removed keeps no other one from going', async () => {
  const ada = await world.team();
  const id = await world.row(ada);
  const expired = { created_at: '2026-01-01T00:00:00Z', finished_at: '2026-01-01T00:00:00Z', expires_at: '2026-01-08T00:00:00Z' };
  const backups = [newId('bak'), newId('bak'), await world.made(ada, id)] as const;
  for (const backup of backups.slice(0, 2))
    await world.sql`insert into database_backups ${world.sql({ id: backup, team_id: ada.team_id, database_id: id, trigger: 'daily', status: 'available', ...expired })}`;
  const [stuck, other] = backups.map((backup) => backupFile(world.backupsDir, { database_id: id, id: backup }));
  await mkdir(stuck!, { recursive: true }); // a folder in its place
  await writeFile(other!, 'x');
  await sweepBackups({ ...world, each });
  assert.equal(existsSync(other!), false);
  await rm(stuck!, { recursive: true });
});

test('rows without a file have failed with an alert, files without a row go after a day, and what nobody makes any more has failed', async () => {
  const ada = await world.team();
  const id = await world.row(ada);
  const gone = await world.made(ada, id);
  await world.sql`update database_backups set finished_at = now() - interval '2 minutes' where id = ${gone}`;
  await rm(backupFile(world.backupsDir, { database_id: id, id: gone }));
  const stuck = newId('bak');
  await world.sql`insert into database_backups ${world.sql({ id: stuck, team_id: ada.team_id, database_id: id, trigger: 'manual', status: 'running', created_at: '2026-01-01T00:00:00Z' })}`;
  const { id: waiting } = await world.handlers.createBackup({ id }, calledBy(ada));
  await world.sql`update database_backups set created_at = created_at - interval '1 hour' where id = ${waiting}`;
  const [fresh, stale] = ['nobodys-new', 'nobodys-old'].map((name) => join(world.backupsDir, id, name)) as [string, string];
  for (const file of [fresh, stale]) await writeFile(file, 'x');
  const before = new Date(Date.now() - 2 * 86_400_000);
  await utimes(stale, before, before);
  await sweepBackups({ ...world, each });
  const states = Object.fromEntries((await world.listed(ada, id)).backups.map((one) => [one.id, `${one.status} ${one.error_message}`]));
  assert.match(states[gone] ?? '', /^failed Its file is missing/);
  assert.match(states[stuck] ?? '', /^failed It was begun several times/);
  assert.equal(states[waiting], 'queued null');
  assert.deepEqual([existsSync(fresh), existsSync(stale)], [true, false]);
  assert.equal((await world.openAlerts(ada)).length, 1);
});
