import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BackupRefused } from '@paddock/database-driver';
import { backupWorld } from '../../../../test/backups.ts';
import { calledBy } from '../../../../test/database-rows.ts';
import { nextStep } from '../node/next-step.ts';
import type { ManagedRow } from '../rows.ts';

test('over a database that does not start a backup is put as it is: nothing can be backed up before', async () => {
  const world = await backupWorld();
  const ada = await world.team();
  const id = await world.row(ada);
  const backup_id = await world.made(ada, id);
  const fails = () => world.sql`update databases set status = 'failed', status_message = 'It does not start.' where id = ${id}`;
  await fails();
  assert.equal((await world.handlers.restore({ id, backup_id, into: 'same' }, calledBy(ada))).status, 'restoring');
  const broken = world.tasksWith({ restore: async () => Promise.reject(new BackupRefused('The backup is corrupted.')) });
  await assert.rejects(broken.run(id, AbortSignal.timeout(60_000), false), /nothing was changed: The backup is corrupted/);
  assert.equal((await world.database(ada, id)).status, 'failed', 'it is what it was');

  await fails();
  await world.sql`update database_tasks set status = 'failed' where database_id = ${id}`;
  await world.handlers.restore({ id, backup_id, into: 'same' }, calledBy(ada));
  const row = await world.sql<ManagedRow[]>`select * from databases where id = ${id}`;
  const circumstances = { isKnown: false, hasTask: true, isRescue: true, isPausing: false };
  assert.equal(nextStep(row[0]!, { ...circumstances, state: 'exited' }), 'task', 'a start is not waited for');
  assert.equal(nextStep(row[0]!, { ...circumstances, state: 'running' }), 'start', 'one that runs all the same is adopted first');
  await world.tasksWith().run(id, AbortSignal.timeout(60_000), false);
  assert.deepEqual([(await world.database(ada, id)).status, (await world.listed(ada, id)).backups.length], ['available', 1]);

  // The database runs again meanwhile: its content is then worth a backup.
  await fails();
  await world.handlers.restore({ id, backup_id, into: 'same' }, calledBy(ada));
  await world.tasksWith().run(id);
  assert.deepEqual(
    (await world.listed(ada, id)).backups.map(({ trigger }) => trigger),
    ['before_restore', 'manual'],
  );
  const copy = await world.handlers.restore({ id, backup_id, into: 'new' }, calledBy(ada));
  await world.sql`update databases set status = 'failed' where id = ${copy.id}`;
  await world.sql`update database_backups set database_id = ${copy.id} where id = ${backup_id}`;
  await assert.rejects(world.handlers.restore({ id: copy.id, backup_id, into: 'same' }, calledBy(ada)), { code: 'database_not_ready' });
});
