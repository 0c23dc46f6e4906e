import assert from 'node:assert/strict';
import { rename, truncate, writeFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import { type BackupWorld, backupWorld } from '../../../../../test/backups.ts';
import { foundBy, runControl, statusOf } from '../../../../../test/controls.ts';
import { calledBy } from '../../../../../test/database-rows.ts';
import { backupControl } from './bck-01-backups.ts';
import { restoreControl } from './bck-02-restores.ts';

let world: BackupWorld;
before(async () => {
  world = await backupWorld();
});

const ran = () => backupControl({ sql: world.sql, dataDir: world.dataDir });
const tested = () => restoreControl({ sql: world.sql });
const fileOf = (database: string, backup: string) => `${world.backupsDir}/${database}/${backup}`;

test('a database without a backup of the last day is found, and passes once it is backed up', async () => {
  const ada = await world.team();
  const id = await world.row(ada);
  const [fresh] = await foundBy(ran(), ada.team_id, 'unverified');
  assert.equal(fresh?.finding, 'The database was made 0 minutes ago, and its first daily backup is not due yet.');
  await world.sql`update databases set created_at = now() - interval '3 days' where id = ${id}`;
  assert.equal((await foundBy(ran(), ada.team_id))[0]?.finding, 'There is no backup of this database.');

  const backup = await world.made(ada, id);
  assert.equal(await statusOf(ran(), ada.team_id), 'passed');
  await world.sql`
    update database_backups
    set created_at = created_at - interval '30 hours', finished_at = finished_at - interval '30 hours'
    where id = ${backup}`;
  await world.handlers.createBackup({ id }, calledBy(ada));
  const full = world.tasksWith({ backup: async () => Promise.reject(new Error('The backup could not be written: the disk is full.')) });
  await assert.rejects(full.run(id), /disk is full/);
  await world.sql`update database_tasks set status = 'failed'`;
  const [old] = await foundBy(ran(), ada.team_id);
  assert.deepEqual([old?.type, old?.id, old?.name], ['database', id, 'demo, production']);
  assert.match(
    old?.finding ?? '',
    /^The last good backup is older than a day: it was made 30 hours ago\. The last try failed: .*the disk is full\.$/,
  );
  assert.equal(old?.fix?.path, `/databases?open=${id}&tab=backups`);
  await world.made(ada, id);
  assert.equal(await statusOf(ran(), ada.team_id), 'passed');
});

test('a backup whose file is short or damaged is found, one whose file is gone is not verified, and the next backup passes', async () => {
  const ada = await world.team();
  const id = await world.row(ada);
  const file = fileOf(id, await world.made(ada, id));
  const control = ran();
  assert.equal(await statusOf(control, ada.team_id), 'passed');
  await writeFile(file, 'CONTENT');
  assert.equal((await foundBy(control, ada.team_id))[0]?.finding, 'The file of the last backup is damaged: it does not have its checksum.');
  await truncate(file, 3);
  assert.equal((await foundBy(control, ada.team_id))[0]?.finding, 'The file of the last backup has 3 bytes instead of 7.');
  await rename(file, `${file}.away`);
  assert.match(
    (await foundBy(control, ada.team_id, 'unverified'))[0]?.finding ?? '',
    /is not on this server: it is gone, or another server has it/,
  );
  await world.made(ada, id);
  assert.equal(await statusOf(control, ada.team_id), 'passed');
});

test('stopped databases, those brought along and those of other teams are not looked at', async () => {
  const [ada, bob] = [await world.team(), await world.team()];
  await world.row(ada, { wanted: 'stopped', status: 'stopped' });
  await world.row(ada, { mode: 'byo', node: null, environment: 'preview' });
  await world.row(bob);
  assert.deepEqual((await runControl(ran(), ada.team_id)).resources, []);
});

test('a database is tested by a restore into a copy, for 90 days', async () => {
  const ada = await world.team();
  const id = await world.row(ada);
  const [none] = await foundBy(tested(), ada.team_id, 'unverified');
  assert.match(none?.finding ?? '', /^No restore of this database is known; a backup counts as tested for 90 days\.$/);
  assert.match(none?.fix?.text ?? '', /^Back the database up: Paddock then tests/);

  const backup_id = await world.made(ada, id);
  const restore = async () => {
    const { id: copy } = await world.handlers.restore({ id, backup_id, into: 'new' }, calledBy(ada));
    await world.tasksWith().run(copy);
    await world.sql`update database_tasks set finished_at = now() where database_id = ${copy}`;
    return copy;
  };
  const copy = await restore();
  assert.equal(await statusOf(tested(), ada.team_id), 'passed');
  await world.sql`update database_tasks set finished_at = now() - interval '91 days' where database_id = ${copy}`;
  assert.match((await foundBy(tested(), ada.team_id, 'unverified'))[0]?.finding ?? '', /^The last restore was 91 days ago/);
  await restore();
  assert.equal(await statusOf(tested(), ada.team_id), 'passed');
});
