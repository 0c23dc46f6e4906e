import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import { databases as contract, type Database } from '@paddock/contract';
import { BackupRefused } from '@paddock/database-driver';
import * as z from 'zod';
import { type BackupWorld, backupWorld } from '../../../../test/backups.ts';
import { calledBy } from '../../../../test/database-rows.ts';
import { newId, uuidv7 } from '../../../ids.ts';
import { nextStep } from '../node/next-step.ts';
import { backupFile } from './backup-tasks.ts';
import { copyName } from './restore-store.ts';

let world: BackupWorld;
before(async () => {
  world = await backupWorld();
});

test('a backup is queued with its row, made by its task, and shown with its size and checksum', async () => {
  const ada = await world.team();
  const id = await world.row(ada);
  const queued = z.parse(contract.createBackup.output, await world.handlers.createBackup({ id }, calledBy(ada)));
  assert.deepEqual([queued.status, queued.trigger, queued.finished_at], ['queued', 'manual', null]);
  await world.tasksWith().run(id);
  const { backups } = await world.listed(ada, id);
  assert.deepEqual(
    backups.map(({ status, size_bytes, version, expires_at, error_message }) => ({
      status,
      size_bytes,
      version,
      expires_at,
      error_message,
    })),
    [{ status: 'available', size_bytes: 7, version: '18.4', expires_at: null, error_message: null }],
  );
  assert.ok(existsSync(backupFile(world.backupsDir, { database_id: id, id: queued.id })));
  assert.equal((await world.database(ada, id)).last_backup_at, backups[0]?.created_at);
});

test('the same request again finds the backup that it made before', async () => {
  const ada = await world.team();
  const id = await world.row(ada);
  const seed = uuidv7();
  const first = await world.handlers.createBackup({ id }, calledBy(ada, seed));
  assert.deepEqual(await world.handlers.createBackup({ id }, calledBy(ada, seed)), first);
  assert.equal((await world.sql`select 1 from database_tasks where database_id = ${id}`).length, 1);
});

test('there are ten manual backups at most, also when they are asked for at the same time', async () => {
  const ada = await world.team();
  const id = await world.row(ada);
  const asked = await Promise.allSettled(Array.from({ length: 14 }, () => world.handlers.createBackup({ id }, calledBy(ada))));
  const refused = asked.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code: string }).code] : []));
  assert.deepEqual(refused, Array(4).fill('backups_too_many'));
  assert.equal((await world.listed(ada, id)).backups.length, 10);
  const first = await world.listed(ada, id, { limit: 7 });
  const second = await world.listed(ada, id, { limit: 7, cursor: first.next_cursor });
  assert.deepEqual([first.backups.length, second.backups.length, second.next_cursor], [7, 3, null]);
});

test('backups are of managed databases that are available, and of the own team', async () => {
  const [ada, bob] = [await world.team(), await world.team()];
  const stopped = await world.row(ada, { status: 'stopped' });
  const byo = await world.row(ada, { mode: 'byo', node: null });
  await assert.rejects(world.handlers.createBackup({ id: stopped }, calledBy(ada)), { code: 'database_not_ready' });
  await assert.rejects(world.handlers.createBackup({ id: byo }, calledBy(ada)), { code: 'database_not_managed' });
  const id = await world.row(ada, { environment: 'preview' });
  const backup_id = await world.made(ada, id);
  for (const call of [
    () => world.handlers.createBackup({ id }, calledBy(bob)),
    () => world.handlers.backups({ id, limit: 5 }, calledBy(bob)),
    () => world.handlers.deleteBackup({ id, backup_id }, calledBy(bob)),
    () => world.handlers.restore({ id, backup_id, into: 'same' }, calledBy(bob)),
    () => world.handlers.restore({ id, backup_id, into: 'new' }, calledBy(bob)),
    () => world.handlers.exportSql({ id }, calledBy(bob)),
  ])
    await assert.rejects(call(), { code: 'database_not_found' });
  await assert.rejects(world.handlers.restore({ id, backup_id: newId('bak'), into: 'same' }, calledBy(ada)), { code: 'backup_not_found' });
  await assert.rejects(world.handlers.restore({ id: stopped, backup_id, into: 'same' }, calledBy(ada)), { code: 'backup_not_found' });
});

test('a backup that failed says why in its row, raises an alert with a mail, and the next success resolves it', async () => {
  const ada = await world.team();
  const id = await world.row(ada);
  await world.handlers.createBackup({ id }, calledBy(ada));
  const full = world.tasksWith({ backup: async () => Promise.reject(new Error('The backup could not be written: the disk is full.')) });
  await assert.rejects(full.run(id), /the disk is full/);
  await world.sql`update database_tasks set status = 'failed'`;
  const [failed] = (await world.listed(ada, id)).backups;
  assert.deepEqual([failed?.status, failed?.error_message], ['failed', 'The backup could not be written: the disk is full.']);
  assert.match((await world.openAlerts(ada)).join(), /^A backup of the PostgreSQL database failed: .*the disk is full/);
  await world.handlers.createBackup({ id }, calledBy(ada));
  await assert.rejects(world.tasksWith().run(id, undefined, false), /does not run/, 'nor is one made of a server that does not run');
  await world.sql`update database_tasks set status = 'failed'`;
  assert.equal((await world.openAlerts(ada)).length, 1);
  assert.deepEqual(
    (await world.mailsTo(ada.email)).map(({ template }) => template),
    ['alert'],
  );
  await world.made(ada, id);
  assert.deepEqual(await world.openAlerts(ada), []);
});

test('a backup that the end of the server cut short is made by the next one, and one that takes too long has failed', async () => {
  const ada = await world.team();
  const id = await world.row(ada);
  await world.handlers.createBackup({ id }, calledBy(ada));
  const slow = world.tasksWith({
    backup: (_, __, { signal }) => {
      setImmediate(() => closing.abort());
      return new Promise((_resolve, reject) => {
        // On a busy machine the timeout may fire before the backup begins.
        if (signal.aborted) return reject(signal.reason);
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    },
  });
  const closing = new AbortController();
  await assert.rejects(slow.run(id, closing.signal));
  assert.deepEqual([(await world.listed(ada, id)).backups[0]?.status, await world.openAlerts(ada)], ['running', []]);
  await world.tasksWith().run(id);
  assert.equal((await world.listed(ada, id)).backups[0]?.status, 'available');
  await world.handlers.createBackup({ id }, calledBy(ada));
  await assert.rejects(slow.run(id, AbortSignal.timeout(20)), /took too long/);
  assert.equal((await world.listed(ada, id)).backups[0]?.status, 'failed');
});

test('a backup is removed with its file, but not while it is made or put back', async () => {
  const ada = await world.team();
  const id = await world.row(ada);
  const queued = await world.handlers.createBackup({ id }, calledBy(ada));
  await assert.rejects(world.handlers.deleteBackup({ id, backup_id: queued.id }, calledBy(ada)), { code: 'backup_not_available' });
  await world.tasksWith().run(id);
  await world.handlers.restore({ id, backup_id: queued.id, into: 'same' }, calledBy(ada));
  await assert.rejects(world.handlers.deleteBackup({ id, backup_id: queued.id }, calledBy(ada)), { code: 'backup_not_available' });
  await world.tasksWith().run(id);
  await world.handlers.deleteBackup({ id, backup_id: queued.id }, calledBy(ada));
  assert.equal(existsSync(backupFile(world.backupsDir, { database_id: id, id: queued.id })), false);
  await assert.rejects(world.handlers.deleteBackup({ id, backup_id: queued.id }, calledBy(ada)), { code: 'backup_not_found' });
});

test('a restore over the database backs it up before, once, and says so to the agents', async () => {
  const ada = await world.team();
  const id = await world.row(ada);
  const backup_id = await world.made(ada, id);
  const shown = z.parse(contract.restore.output, await world.handlers.restore({ id, backup_id, into: 'same' }, calledBy(ada)));
  assert.equal(shown.status, 'restoring');
  await assert.rejects(world.handlers.restore({ id, backup_id, into: 'same' }, calledBy(ada)), { code: 'database_not_ready' });
  const restored: object[] = [];
  let tries = 0;
  const { run, said } = world.tasksWith({
    async restore(_, backup) {
      restored.push(backup);
      if (tries++ === 0) throw closing.signal.reason;
      return { host: '127.0.0.1', port: 4711, version: '18.4' };
    },
  });
  const closing = new AbortController();
  closing.abort();
  // The server shuts down during the first attempt: nothing is reported, and the backup it made counts for the second attempt.
  await assert.rejects(run(id, closing.signal));
  assert.equal((await world.database(ada, id)).status, 'restoring');
  await run(id);
  const after = await world.database(ada, id);
  assert.deepEqual([after.status, after.port, after.status_message], ['available', 4711, null]);
  const { backups } = await world.listed(ada, id);
  assert.deepEqual(
    backups.map(({ trigger, status }) => `${trigger} ${status}`),
    ['before_restore available', 'manual available'],
  );
  assert.ok(backups[0]?.expires_at);
  assert.deepEqual(
    restored,
    Array.from({ length: 2 }, () => ({
      file: backupFile(world.backupsDir, { database_id: id, id: backup_id }),
      sha256: backups[1]?.sha256,
    })),
  );
  assert.match(said.join(), /was restored to what it was at/);
});

test('a restore that cannot back up what is there changes nothing', async () => {
  const ada = await world.team();
  const id = await world.row(ada);
  const backup_id = await world.made(ada, id);
  await world.handlers.restore({ id, backup_id, into: 'same' }, calledBy(ada));
  let restores = 0;
  const { run } = world.tasksWith({
    backup: async () => Promise.reject(new Error('the disk is full')),
    restore: async () => Promise.reject(new Error(`restored ${++restores} times`)),
  });
  await assert.rejects(run(id), /nothing was changed: What is there now could not be backed up before\. the disk is full/);
  const { status, status_message } = await world.database(ada, id);
  assert.deepEqual([restores, status, /nothing was changed/.test(status_message ?? '')], [0, 'available', true]);
  assert.equal((await world.openAlerts(ada)).length, 2);
});

test('a backup that is not what was written is refused, and the database, a message and an alert say so', async () => {
  const ada = await world.team();
  const id = await world.row(ada);
  const backup_id = await world.made(ada, id);
  const restore = async (driver: Parameters<BackupWorld['tasksWith']>[0]) => {
    await world.handlers.restore({ id, backup_id, into: 'same' }, calledBy(ada));
    await assert.rejects(world.tasksWith(driver).run(id), /nothing was changed/);
    await world.sql`update database_tasks set status = 'failed' where status = 'queued'`;
    const { status, status_message } = await world.database(ada, id);
    assert.equal(status, 'available');
    assert.deepEqual(await world.openAlerts(ada), [status_message]);
    return status_message;
  };
  assert.match(
    (await restore({ restore: async () => Promise.reject(new BackupRefused('The backup is corrupted: its checksum differs.')) })) ?? '',
    /checksum differs/,
  );
  const untouched = { restore: async () => Promise.reject(new Error('nobody should come here')) };
  await writeFile(backupFile(world.backupsDir, { database_id: id, id: backup_id }), 'short');
  assert.match((await restore(untouched)) ?? '', /corrupted: its file has 5 bytes instead of 7/);
});

test('a backup can be put into a new database beside it, with a name and a password of its own', async () => {
  const ada = await world.team();
  const id = await world.row(ada);
  const backup_id = await world.made(ada, id);
  const seed = uuidv7();
  const copy = z.parse(contract.restore.output, await world.handlers.restore({ id, backup_id, into: 'new' }, calledBy(ada, seed)));
  assert.deepEqual(
    [copy.status, copy.is_attached, copy.mode, copy.type, copy.project_id],
    ['restoring', false, 'managed', 'postgresql', ada.project_id],
  );
  assert.match(copy.name, /^restored-\d{4}-\d\d-\d\d-\d{4}$/);
  assert.equal((await world.handlers.restore({ id, backup_id, into: 'new' }, calledBy(ada, seed))).id, copy.id, 'the same request again');
  const [source, target] = await world.sql<{ node: string; machine: string; secret_sealed: Buffer }[]>`
    select node, machine, secret_sealed
    from databases
    where id in (${id}, ${copy.id})
    order by created_at`;
  assert.deepEqual([target?.node, target?.machine], [source?.node, source?.machine]);
  assert.notDeepEqual(target?.secret_sealed, source?.secret_sealed);
  const restored: string[] = [];
  const { run } = world.tasksWith({
    async restore(_, { file }) {
      restored.push(file);
      return { host: '127.0.0.1', port: 4712, version: '18.4' };
    },
  });
  await run(copy.id);
  assert.deepEqual(restored, [backupFile(world.backupsDir, { database_id: id, id: backup_id })]);
  const after = await world.database(ada, copy.id);
  assert.deepEqual([after.status, after.port], ['available', 4712]);
  assert.equal((await world.listed(ada, copy.id)).backups.length, 0, 'nothing was there before');
  assert.equal((await world.database(ada, id)).status, 'available', 'and the source goes on');
  const more = await Promise.allSettled(
    Array.from({ length: 6 }, () => world.handlers.restore({ id, backup_id, into: 'new' }, calledBy(ada))),
  );
  const names = more.flatMap((each) => (each.status === 'fulfilled' ? [each.value.name] : []));
  assert.equal(new Set([copy.name, ...names]).size, 5, 'names are unique');
  assert.deepEqual(
    new Set(more.flatMap((each) => (each.status === 'rejected' ? [(each.reason as { code: string }).code] : []))),
    new Set(['database_taken']),
  );
});

test('a new database that a backup could not be put into has failed, says why, and is not started empty', async () => {
  const ada = await world.team();
  const id = await world.row(ada);
  const backup_id = await world.made(ada, id);
  const copy = await world.handlers.restore({ id, backup_id, into: 'new' }, calledBy(ada));
  const refusing = world.tasksWith({ restore: async () => Promise.reject(new BackupRefused('The backup is corrupted.')) });
  await assert.rejects(refusing.run(copy.id), /corrupted/);
  const [row] = await world.sql<[{ status: Database['status']; wanted: 'stopped'; port: null; status_message: string }]>`
    select status, wanted, port, status_message from databases where id = ${copy.id}`;
  assert.deepEqual([row.status, row.wanted, row.port], ['failed', 'stopped', null]);
  assert.match(row.status_message, /^The restore failed, and nothing was changed: The backup is corrupted/);
  assert.equal(
    nextStep(row, { state: undefined, isKnown: false, hasTask: false, isRescue: false, isPausing: false }),
    'nothing',
    'it keeps saying why',
  );
});

test('copies are named by the minute', () => {
  const now = new Date('2026-11-21T23:30:59.999Z');
  assert.equal(copyName(now, new Set()), 'restored-2026-11-21-2330');
  assert.equal(copyName(now, new Set(['restored-2026-11-21-2330', 'restored-2026-11-21-2330-2'])), 'restored-2026-11-21-2330-3');
});
