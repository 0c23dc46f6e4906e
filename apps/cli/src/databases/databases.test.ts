import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Database, DatabaseBackup, Project } from '@paddock/contract';
import { run, type Script, scriptedApi } from './scripted-api.ts';

const database = (more: Partial<Database> = {}): Database => ({
  id: 'db_pg',
  type: 'postgresql',
  project_id: 'prj_chat',
  project_name: 'chat',
  environment: 'production',
  mode: 'managed',
  name: 'main',
  is_attached: true,
  status: 'available',
  status_message: null,
  host: '127.0.0.1',
  port: 41001,
  version: '18.4',
  size_bytes: 9 * 1024 ** 2,
  storage_limit_bytes: 1024 ** 3,
  is_read_only: false,
  last_backup_at: '2026-01-31T12:00:00.000Z',
  created_at: '2026-01-30T12:00:00.000Z',
  ...more,
});
const redis = database({ id: 'db_redis', type: 'redis', version: '8.0.2' });
const copy = database({ id: 'db_copy', name: 'restored', is_attached: false });
const backup = (more: Partial<DatabaseBackup> = {}): DatabaseBackup => ({
  id: 'bak_one',
  database_id: 'db_pg',
  trigger: 'manual',
  status: 'available',
  error_message: null,
  size_bytes: 4 * 1024 ** 2,
  sha256: 'c0ffee',
  version: '18.4',
  created_at: '2026-01-31T12:00:00.000Z',
  finished_at: '2026-01-31T12:00:01.000Z',
  expires_at: null,
  ...more,
});
const project = {
  id: 'prj_chat',
  name: 'chat',
  description: '',
  url: 'http://chat.localhost',
  created_at: '2026-01-30T12:00:00.000Z',
  deployment_count: 1,
  build_settings: null,
} satisfies Project;
/** A team with one project that has these databases. */
const serverWith = (t: TestContext, databases: Database[], script: Script = {}) =>
  scriptedApi(t, {
    'GET /projects': () => ({ projects: [project], next_cursor: null, total: 1 }),
    'GET /databases': () => ({ databases, next_cursor: null, total: databases.length }),
    ...script,
  });
const secret = (id: string, connection_string: string) => ({
  [`GET /databases/${id}/connection-string`]: () => ({ connection_string, env_var: 'DATABASE_URL', command: 'psql …' }),
});

test('the connection string of the only database is all of stdout; copies do not count, and JSON has it, too', async (t) => {
  const { url } = await serverWith(t, [copy, database()], secret('db_pg', 'postgresql://agent:x@127.0.0.1:41001/app'));
  assert.deepEqual(await run(url, ['db', 'url', '--project', 'chat']), {
    code: 0,
    out: 'postgresql://agent:x@127.0.0.1:41001/app\n',
    notes: '',
  });
  const { out } = await run(url, ['db', 'url', '--project', 'chat'], { json: true });
  assert.equal((JSON.parse(out) as { env_var: string }).env_var, 'DATABASE_URL');
});

test('where several fit, a script is told which, a terminal is asked, and the type decides', async (t) => {
  const strings = { ...secret('db_pg', 'postgresql://of-postgres'), ...secret('db_redis', 'redis://of-redis') };
  const { url } = await serverWith(t, [redis, database()], strings);
  const unclear = await run(url, ['db', 'url', '--project', 'chat']);
  assert.deepEqual([unclear.code, unclear.out], [2, '']);
  assert.match(
    unclear.notes,
    /chat \(production\) has several databases\. Name one:\n {2}redis, managed, main \(db_redis\)\n {2}postgresql/,
  );
  assert.equal((await run(url, ['db', 'url', '--project', 'chat'], { typed: '2' })).out, 'postgresql://of-postgres\n');
  assert.equal((await run(url, ['db', 'url', 'redis', '--project', 'chat'])).out, 'redis://of-redis\n');
  const wrong = await run(url, ['db', 'url', 'mysql', '--project', 'chat']);
  assert.deepEqual([wrong.code, wrong.notes], [2, 'mysql is no database. Give postgres, redis or an id (db_…).']);
});

test('an environment without a database is not found, and says how to get one', async (t) => {
  const { url } = await serverWith(t, []);
  const none = await run(url, ['db', 'url', 'redis', '--project', 'chat', '--env', 'preview']);
  assert.equal(none.code, 4);
  assert.equal(none.notes, 'chat (preview) has no Redis database. To get one: paddock deploy --database managed');
  assert.equal((await run(url, ['db', 'url', 'db_gone'])).code, 4);
});

test('the list shows what a person looks for, and filters by project and environment', async (t) => {
  const inputs: Record<string, unknown>[] = [];
  const databases = [database({ is_read_only: true }), database({ id: 'db_own', mode: 'byo', status: 'unreachable', size_bytes: null })];
  const { url } = await serverWith(t, [], {
    'GET /databases': (input) => {
      inputs.push(input);
      return { databases, next_cursor: null, total: 2 };
    },
  });
  const { out } = await run(url, ['db', 'list', '--project', 'chat', '--env', 'preview']);
  assert.match(
    out,
    /^db_pg +chat +production +postgresql 18\.4 +managed +main +available, read-only +9\.0 MB of 1024 MB +2026-01-31 12:00$/m,
  );
  assert.match(out, /^db_own .* byo +main +unreachable +$/m);
  assert.deepEqual(inputs, [{ limit: '500', project_id: 'prj_chat', environment: 'preview' }]);
});

test('a backup is followed until it is available, and tells its size and checksum; its id is for scripts', async (t) => {
  const states = [backup({ status: 'queued', sha256: null, size_bytes: null }), backup({ status: 'running' }), backup()];
  const { url, asked } = await serverWith(t, [database()], {
    'POST /databases/db_pg/backups': () => states[0],
    'GET /databases/db_pg/backups': () => ({ backups: [states.length > 1 ? states.shift() : states[0]], next_cursor: null }),
  });
  const done = await run(url, ['db', 'backup', '--project', 'chat']);
  assert.deepEqual([done.code, done.out], [0, 'bak_one\n']);
  assert.match(done.notes, /Backed up postgresql of chat, production: 4\.0 MB\nSHA-256 c0ffee/);
  assert.equal(asked.filter((call) => call === 'GET /databases/db_pg/backups').length, 3);
});

test('a backup that fails ends with 1 and its reason; without waiting only its id is told', async (t) => {
  const failed = backup({ status: 'failed', error_message: 'The disk is full.' });
  const { url, asked } = await serverWith(t, [database()], {
    'POST /databases/db_pg/backups': () => backup({ status: 'queued' }),
    'GET /databases/db_pg/backups': () => ({ backups: [failed], next_cursor: null }),
  });
  assert.deepEqual(await run(url, ['db', 'backup', 'postgres', '--project', 'chat']), {
    code: 1,
    out: '',
    notes: 'Failed: The disk is full.\n',
  });
  const json = await run(url, ['db', 'backup', '--project', 'chat'], { json: true });
  assert.deepEqual([json.code, (JSON.parse(json.out) as DatabaseBackup).status], [1, 'failed']);
  asked.length = 0;
  assert.equal((await run(url, ['db', 'backup', '--no-wait', '--project', 'chat'])).out, 'bak_one\n');
  assert.deepEqual(asked.at(-1), 'POST /databases/db_pg/backups');
});

test('backups are listed with why they were made, how they ended and how long they stay', async (t) => {
  const backups = [
    backup({ status: 'failed', error_message: 'No room.' }),
    backup({ trigger: 'before_restore', expires_at: '2026-02-07T12:00:00.000Z' }),
  ];
  const { url } = await serverWith(t, [database()], { 'GET /databases/db_pg/backups': () => ({ backups, next_cursor: null }) });
  const { out } = await run(url, ['db', 'backups', '--project', 'chat']);
  assert.match(out, /^bak_one +manual +failed: No room\. +4\.0 MB +2026-01-31 12:00 +you remove it$/m);
  assert.match(out, /^bak_one +before restore +available +4\.0 MB +2026-01-31 12:00 +2026-02-07$/m);
});

/** A database with a backup whose restore ends like this. */
const restorable = (t: TestContext, end: Partial<Database>) => {
  const inputs: unknown[] = [];
  const states = [database({ status: 'restoring' }), database({ status: 'restoring' }), database(end)];
  const script: Script = {
    'GET /databases/db_pg/backups': () => ({ backups: [backup()], next_cursor: null }),
    'POST /databases/db_pg/backups/bak_one/restore': (input) => {
      inputs.push(input);
      return states[0];
    },
    'GET /databases/db_pg': () => (states.length > 1 ? states.shift() : states[0]),
  };
  return serverWith(t, [database({ id: 'db_own', mode: 'byo' }), redis, database()], {
    ...script,
    'GET /databases/db_redis/backups': () => ({ backups: [], next_cursor: null }),
  }).then((server) => ({ ...server, inputs }));
};

test('a restore over the database wants the name of the project, or --yes', async (t) => {
  const { url, inputs } = await restorable(t, {});
  const refused = await run(url, ['db', 'restore', 'bak_one']);
  assert.equal(refused.code, 2);
  assert.match(refused.notes, /replaces what postgresql of chat \(production\) holds .* --yes/);
  const mistyped = await run(url, ['db', 'restore', 'bak_one'], { typed: 'chart' });
  assert.deepEqual([mistyped.code, mistyped.notes.endsWith('Nothing was restored.')], [1, true]);
  assert.deepEqual(inputs, []);
  assert.equal((await run(url, ['db', 'restore', 'bak_one'], { typed: 'chat' })).code, 0);
  assert.deepEqual(await run(url, ['db', 'restore', 'bak_one', '--yes']), {
    code: 0,
    out: 'db_pg\n',
    notes: 'Restored postgresql of chat.\n',
  });
  assert.deepEqual(inputs, [{ into: 'same' }, { into: 'same' }]);
});

test('a restore into a new database asks nobody, and one that failed ends with 1 and its reason', async (t) => {
  const { url, inputs } = await restorable(t, { name: 'main-2', is_attached: false });
  const made = await run(url, ['db', 'restore', 'bak_one', '--into-new']);
  assert.deepEqual([made.code, made.out, made.notes], [0, 'db_pg\n', 'Restored into main-2. Its address: paddock db url db_pg\n']);
  assert.deepEqual(inputs, [{ into: 'new' }]);
  const refused = await restorable(t, { status_message: 'The restore failed, and nothing was changed: it is damaged.' });
  assert.equal((await run(refused.url, ['db', 'restore', 'bak_one', '--yes'])).code, 1);
  const bad = await restorable(t, { status: 'failed', status_message: 'The backup is damaged.' });
  assert.deepEqual(await run(bad.url, ['db', 'restore', 'bak_one', '--yes']), {
    code: 1,
    out: '',
    notes: 'Failed: The backup is damaged.\n',
  });
  const unknown = await run(url, ['db', 'restore', 'bak_none']);
  assert.deepEqual([unknown.code, /There is no backup bak_none/.test(unknown.notes)], [4, true]);
  assert.equal((await run(url, ['db', 'restore', 'main'])).code, 2);
});
