import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import {
  BackupRefused,
  connectionString,
  type DatabaseAddress,
  type DatabaseDriver,
  processDatabaseDriver,
} from '@paddock/database-driver';
import postgres from 'postgres';
import { restoreFindings } from '../../../test/controls.ts';
import { calledBy, databaseRows, node, type Rows } from '../../../test/database-rows.ts';
import { atEnd } from '../../../test/postgres.ts';
import { createLog } from '../../log.ts';
import { backupNodeStore } from './backups/backup-node-store.ts';
import { backupHandlers } from './backups/backup-routes.ts';
import { backupStore } from './backups/backup-store.ts';
import { backupFile, backupTasks } from './backups/backup-tasks.ts';
import { restoreTestJob } from './backups/restore-test.ts';
import { restoreTestStore } from './backups/restore-test-store.ts';
import { toDatabaseSpec } from './node/spec.ts';
import type { LiveDatabase, ManagedRow, Task } from './rows.ts';
import { databaseStore } from './store.ts';
import { storageLimits } from './usage/limits.ts';
import { storageStore } from './usage/limits-store.ts';
import { samplesStore } from './usage/samples-store.ts';
import { createSampler } from './usage/sampling.ts';

const say = (fields: object, message: string) => void process.stderr.write(`${message} ${JSON.stringify(fields)}\n`);
let rows: Rows;
let driver: DatabaseDriver;
let ada: Awaited<ReturnType<Rows['team']>>;
/** The database shared by all tests here, and its copy. */
let main: LiveDatabase;
const ids: string[] = [];

before(async () => {
  rows = await databaseRows({ after: atEnd });
  driver = processDatabaseDriver({
    dataDir: rows.dataDir,
    installation: `t${Math.random().toString(36).slice(2, 8)}`,
    log: { info: () => undefined, warn: say, error: say },
    path: process.env.PATH ?? '',
  });
  // Runs before the data folder is removed.
  atEnd(async () => {
    for (const id of ids) await driver.remove(id);
    await driver.close();
  });
  ada = await rows.team();
  main = await started(await rows.row(ada));
});

async function started(id: string): Promise<LiveDatabase> {
  ids.push(id);
  const [row] = await rows.sql<ManagedRow[]>`select * from databases where id = ${id}`;
  const spec = toDatabaseSpec(rows.seal, { memory_mb: 256, cpus: 1, connections: 10 })(row!);
  return noted({ row: row!, spec, address: await driver.start(spec, AbortSignal.timeout(60_000)) });
}
async function noted(live: LiveDatabase): Promise<LiveDatabase> {
  const { host, port, version } = live.address;
  await rows.sql`
    update databases
    set
      host = ${host},
      port = ${port},
      version = ${version},
      status = 'available'
    where id = ${live.row.id}`;
  return live;
}

/** Connects as an agent does, with other session settings. */
async function agent<T>(
  { spec, address }: LiveDatabase,
  work: (sql: postgres.Sql) => Promise<T>,
  connection: Record<string, string> = {},
): Promise<T> {
  const sql = postgres(connectionString('postgresql', address, spec.password), { max: 1, onnotice: () => undefined, connection });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}
const numbers = async (live: LiveDatabase) =>
  (await agent(live, (sql) => sql<{ n: number }[]>`select n from numbers order by n`)).map(({ n }) => n);

const backupsDir = () => join(rows.dataDir, 'database-backups');
const handlers = () =>
  backupHandlers({
    store: backupStore(rows.sql),
    databases: databaseStore(rows.sql),
    seal: rows.seal,
    backupsDir: backupsDir(),
    machine: 'machine',
    path: process.env.PATH ?? '',
  });
/** Runs the open task of a database; returns the database with its address afterwards. */
async function run(live: LiveDatabase): Promise<LiveDatabase> {
  const tasks = backupTasks({
    store: backupNodeStore(rows.sql, node),
    driver,
    backupsDir: backupsDir(),
    alerts: rows.alerts,
    tell: async () => undefined,
  });
  const [task] = await rows.sql<Task[]>`select * from database_tasks where database_id = ${live.row.id} and status = 'queued'`;
  await rows.sql`update database_tasks set status = 'done' where id = ${task!.id}`;
  await tasks[task!.kind as 'backup'](task!, { ...live, live }, AbortSignal.timeout(60_000));
  const [now] = await rows.sql<DatabaseAddress[]>`select host, port, version from databases where id = ${live.row.id}`;
  return { ...live, address: now! };
}

test('a backup of a real PostgreSQL is put back over it and into a new one, row by row', async () => {
  const { id } = main.row;
  await agent(main, (sql) => sql`create table numbers as select generate_series(1, 1000) as n`);
  const thousand = await numbers(main);
  const backup = await handlers().createBackup({ id }, calledBy(ada));
  await run(main);
  const [stored] = (await handlers().backups({ id, limit: 1 }, calledBy(ada))).backups;
  const content = await readFile(backupFile(backupsDir(), { database_id: id, id: backup.id }));
  assert.deepEqual(
    [stored?.status, stored?.size_bytes, stored?.sha256],
    ['available', content.length, createHash('sha256').update(content).digest('hex')],
  );

  await agent(main, (sql) => sql`delete from numbers where n > 10`);
  await handlers().restore({ id, backup_id: backup.id, into: 'same' }, calledBy(ada));
  main = await run(main);
  assert.deepEqual(await numbers(main), thousand);
  const [before] = (await handlers().backups({ id, limit: 1 }, calledBy(ada))).backups;
  assert.equal(before?.trigger, 'before_restore');

  // The content from before the restore, in a new database.
  const copy = await handlers().restore({ id, backup_id: before.id, into: 'new' }, calledBy(ada));
  const beside = await run(await started(copy.id));
  assert.deepEqual(await numbers(beside), thousand.slice(0, 10));
  assert.deepEqual(await numbers(main), thousand, 'and the one it came from is as it was');
  assert.notEqual(beside.spec.password, main.spec.password);
  await driver.remove(copy.id);
});

test('the newest backup is put into a scratch instance, its rows are compared with those of the database, and nothing of it stays', async () => {
  const { id } = main.row;
  const backup = await handlers().createBackup({ id }, calledBy(ada));
  await run(main);
  const scratches: string[] = [];
  const tests = restoreTestJob({
    store: restoreTestStore(rows.sql, node),
    driver: {
      ...driver,
      restore: (spec, ...more) => {
        scratches.push(spec.id);
        assert.ok(tests.isScratch(spec.id));
        return driver.restore(spec, ...more);
      },
    },
    toDatabaseSpec: toDatabaseSpec(rows.seal, { memory_mb: 256, cpus: 1, connections: 10 }),
    live: () => [main],
    backupsDir: backupsDir(),
    dataDir: rows.dataDir,
    node,
    log: createLog('silent'),
  });
  const findings = () => restoreFindings(rows.sql, ada.team_id);
  assert.equal(await tests.testNext(), true);
  const fresh = 'A backup was restored into a scratch instance 0 minutes ago: 1,000 rows in 1 table';
  assert.deepEqual(await findings(), [['passed', `${fresh}, the same as in the database.`]]);
  assert.equal(await tests.testNext(), false, 'not again within a month');

  await rows.sql`update restore_tests set tested_at = now() - interval '91 days'`;
  await rows.sql`update database_tasks set finished_at = null`;
  assert.equal((await findings())[0]?.[0], 'unverified');
  await agent(main, (sql) => sql`insert into numbers values (0)`);
  await tests.testNext();
  assert.deepEqual(await findings(), [['passed', `${fresh}; the database has changed since and had 1,001.`]]);
  await agent(main, (sql) => sql`delete from numbers where n = 0`);

  // The same number of rows with other content.
  await agent(main, (sql) => sql`update numbers set n = -1 where n = 1`);
  await rows.sql`update restore_tests set tested_at = now() - interval '91 days'`;
  await tests.testNext();
  assert.deepEqual(await findings(), [['passed', `${fresh}; the database has changed since, and has as many.`]]);
  await agent(main, (sql) => sql`update numbers set n = 1 where n = -1`);

  const file = backupFile(backupsDir(), { database_id: id, id: backup.id });
  await rename(file, `${file}.away`);
  await rows.sql`update restore_tests set tested_at = now() - interval '91 days'`;
  await tests.testNext();
  assert.deepEqual(await findings(), [
    ['failed', 'The newest backup could not be restored into a scratch instance 0 minutes ago: The file of this backup is missing.'],
  ]);
  await rename(`${file}.away`, file);
  await rows.sql`update restore_tests set tested_at = now() - interval '25 hours'`;
  await tests.testNext();
  assert.equal((await findings())[0]?.[0], 'passed', 'a failed one is tested again after a day');
  await tests.close();

  assert.equal(scratches.length, 5);
  const left = (await driver.list()).map((one) => one.id);
  assert.ok(scratches.every((one) => !left.includes(one)));
});

test('a backup with one wrong byte is refused and nothing is changed', async () => {
  const { id } = main.row;
  const backup = await handlers().createBackup({ id }, calledBy(ada));
  await run(main);
  const there = await numbers(main);
  const file = await open(backupFile(backupsDir(), { database_id: id, id: backup.id }), 'r+');
  const { size } = await file.stat();
  const at = Math.floor(size / 2);
  const [byte = 0] = (await file.read(Buffer.alloc(1), 0, 1, at)).buffer;
  await file.write(Buffer.from([byte ^ 1]), 0, 1, at);
  await file.close();
  await handlers().restore({ id, backup_id: backup.id, into: 'same' }, calledBy(ada));
  await assert.rejects(run(main), (error: Error) => error.cause instanceof BackupRefused && /nothing was changed/.test(error.message));
  assert.deepEqual(await numbers(main), there);
  const { status, status_message } = await databaseStore(rows.sql).get(ada.team_id, id);
  assert.equal(status, 'available');
  assert.deepEqual(
    (await rows.alerts.list(ada.team_id, { limit: 5, resolved: false })).rows.map((one) => one.message),
    [status_message],
  );
});

test('a database that is full refuses to write, makes room in a session that says so, and writes again', async () => {
  const mib = 1024 ** 2;
  const measured = createSampler(driver, samplesStore(rows.sql));
  const { size_bytes } = await driver.measure(main.spec, main.address);
  const limits = storageLimits({
    driver,
    store: storageStore(rows.sql, node),
    alerts: rows.alerts,
    settings: { postgresql: Math.ceil(size_bytes / mib) * mib + 8 * mib, isByPlan: false, redis: mib },
  });
  await limits.follow();
  const look = async () => limits.judge(main, await measured.measure(main, true));
  const state = async () => (await databaseStore(rows.sql).get(ada.team_id, main.row.id)).is_read_only;
  const insert = () => agent(main, (sql) => sql`insert into filler select repeat(md5(n::text), 100) from generate_series(1, 400) n`);
  await agent(main, (sql) => sql`create table filler (content text)`);
  await agent(main, (sql) => sql`alter table filler alter content set storage plain`);
  await look();
  assert.equal(await state(), false);
  for (let share = 0, tries = 0; share < 1 && tries < 40; tries++) {
    await insert();
    share = (await look()) ?? 0;
  }
  assert.equal(await state(), true);
  await assert.rejects(insert(), { code: '25006', message: /read-only transaction/ });
  await agent(main, (sql) => sql`select count(*) from numbers`);
  // The user's own setting lasts only until the next poll.
  await agent(main, (sql) => sql`alter role current_user set default_transaction_read_only = off`, {
    default_transaction_read_only: 'off',
  });
  await look();
  await assert.rejects(insert(), { code: '25006' });
  const [full] = (await rows.alerts.list(ada.team_id, { limit: 1, resolved: false })).rows;
  assert.match(full?.message ?? '', /SET default_transaction_read_only = off/);

  await agent(main, async (sql) => {
    await sql.unsafe('SET default_transaction_read_only = off');
    await sql.unsafe('TRUNCATE filler');
  });
  await look();
  assert.equal(await state(), false);
  await insert();
  const [samples] = await rows.sql<{ n: number }[]>`select count(*)::int as n from database_samples where database_id = ${main.row.id}`;
  assert.ok(samples && samples.n > 0);
});
