import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { DatabaseAddress } from '../../driver.ts';
import { type Bench, never, openBench } from '../../test/bench.ts';
import { sqlClient } from '../../test/clients.ts';
import { createDriver } from '../../test/process-driver.ts';
import type { Part } from '../engine.ts';
import { asAdmin } from './connect.ts';
import { postgresEngine } from './engine.ts';

// Behaviour of PostgreSQL alone; the common behaviour is in driver.suite.ts.
const ID = 'pg';
let bench: Bench;
let address: DatabaseAddress;

before(async () => {
  const module = new URL('../../test/process-driver.ts', import.meta.url).href;
  bench = openBench({ type: 'postgresql', module, createDriver });
  address = await bench.start(ID);
});
after(() => bench.close());

const password = () => bench.spec(ID).password;
const write = (database?: string) =>
  asUser((sql) => sql`CREATE TABLE IF NOT EXISTS written (n int)`.then(() => sql`INSERT INTO written VALUES (1)`), database);
const setWriting = (writing: 'allowed' | 'read_only' | 'refused') => bench.driver.setWriting(bench.spec(ID), address, writing);

async function asUser<T>(work: (sql: ReturnType<typeof sqlClient>) => Promise<T>, database = 'app'): Promise<T> {
  const sql = sqlClient(address.port, password(), { database });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

test('an extension in the folder of extensions is created by the user, who is no superuser, also one that comes after the start', async () => {
  const available = () => asUser((sql) => sql`SELECT 1 FROM pg_available_extensions WHERE name = 'lamp'`);
  assert.equal((await available()).length, 0);
  const folder = join(bench.dataDir, 'extensions/vector-test/share/extension');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'lamp.control'), "default_version = '1.0'\ntrusted = true\n");
  writeFileSync(join(folder, 'lamp--1.0.sql'), 'CREATE FUNCTION lamp() RETURNS text LANGUAGE sql RETURN $on$on$on$;\n');
  assert.equal((await available()).length, 1);
  const [row] = await asUser((sql) => sql`CREATE EXTENSION lamp`.then(() => sql<{ lamp: string }[]>`SELECT lamp()`));
  assert.equal(row?.lamp, 'on');
  await asUser((sql) => sql`CREATE EXTENSION pgcrypto`);
  await assert.rejects(
    asUser((sql) => sql`COPY (SELECT 1) TO '/extensions/here'`),
    { code: '42501' },
  );
});

test('read-only ends sessions and refuses writes, lets reads through, and somebody who makes room may write all the same', async () => {
  await write();
  const open = sqlClient(address.port, password());
  const [session] = await open<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  await setWriting('read_only');
  const [next] = await open<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`.catch(
    () => open<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`,
  );
  assert.notEqual(next?.pid, session?.pid);
  await assert.rejects(open`INSERT INTO written VALUES (2)`, { code: '25006' });
  assert.equal((await open`SELECT * FROM written`).length, 1);
  await open.begin('read write', (tx) => tx`DELETE FROM written`);

  await setWriting('read_only');
  const [same] = await open<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  assert.equal(same?.pid, next?.pid, 'repeating it ends no session');
  await open.end({ timeout: 1 });
});

test('read-only holds over a restart, for new databases too, and what the user stored against it is taken back', async () => {
  await bench.driver.stop(ID);
  address = await bench.start(ID);
  await assert.rejects(write(), { code: '25006' });
  await asUser(async (sql) => {
    await sql.unsafe('SET default_transaction_read_only = off');
    await sql.unsafe('CREATE DATABASE loophole');
    await sql.unsafe('ALTER DATABASE app SET default_transaction_read_only = off');
    await sql.unsafe('ALTER ROLE agent SET default_transaction_read_only = off');
    await sql.unsafe('ALTER ROLE agent IN DATABASE loophole SET default_transaction_read_only = off');
  });
  await write();
  await setWriting('read_only');
  await assert.rejects(write(), { code: '25006' });
  await assert.rejects(write('loophole'), { code: '25006' });
});

test('a change that was cut short before the server read it takes force with the next call', async () => {
  const asPlatform = (statement: string) => asAdmin(bench.spec(ID), address, (sql) => sql.unsafe(statement));
  await setWriting('allowed');
  await write();
  await asPlatform("ALTER SYSTEM SET default_transaction_read_only = 'on'");
  await setWriting('read_only');
  await assert.rejects(write(), { code: '25006' });
  await asPlatform('ALTER SYSTEM RESET default_transaction_read_only');
  await setWriting('allowed');
  await write();
  await setWriting('read_only');
});

test('a backup of a read-only database opens writable elsewhere: its measure is taken anew', async () => {
  const file = bench.backupFile('read-only');
  const { sha256 } = await bench.driver.backup(bench.spec(ID), address, { file, signal: never });
  const other = await bench.driver.restore(bench.spec('other'), { file, sha256 }, never);
  await bench.use('other', other, (client) => client.put('key', 'value'));
  await bench.driver.remove('other');
  await assert.rejects(write(), { code: '25006' });
  await setWriting('allowed');
  await write();
});

test('refused connections stay refused over a restart', async () => {
  await setWriting('refused');
  await bench.driver.stop(ID);
  address = await bench.start(ID);
  await assert.rejects(write(), { code: '53300' });
  await setWriting('read_only');
  await assert.rejects(write(), { code: '25006' });
  await setWriting('allowed');
  await write();
});

test('an application that dropped its database or its schema gets them anew with the next start', async () => {
  await asUser(async (sql) => sql.unsafe('DROP DATABASE app'), 'loophole');
  address = await bench.start(ID);
  await write();
  await asUser((sql) => sql.unsafe('DROP SCHEMA public CASCADE'));
  address = await bench.start(ID);
  await asUser((sql) => sql`CREATE SCHEMA public`);
  await write();
});

test('passwords are stored as SCRAM verifiers, and statements that carry them are none of the output', async () => {
  const stored = await asAdmin(
    bench.spec(ID),
    address,
    (sql) => sql<{ rolpassword: string }[]>`SELECT rolpassword FROM pg_authid WHERE rolcanlogin`,
  );
  assert.equal(stored.length, 2);
  for (const { rolpassword } of stored) assert.match(rolpassword, /^SCRAM-SHA-256\$4096:/);
  const output = join(bench.dataDir, 'database-servers', 'services', ID, 'stderr.log');
  assert.doesNotMatch(readFileSync(output, 'utf8'), /SCRAM-SHA-256|ALTER ROLE|STATEMENT/);
});

test('a wrong password of the platform is told without the password, and at once', async () => {
  const wrong = { ...bench.spec(ID), admin_password: 'made-up-but-wrong' };
  await assert.rejects(bench.driver.start(wrong, never), (error: Error) => {
    assert.match(error.message, /password authentication failed for user "paddock_admin"/);
    assert.doesNotMatch(JSON.stringify(error, Object.getOwnPropertyNames(error)), /made-up/);
    return true;
  });
});

test('the journal that a backup needs is kept however much is written meanwhile', async () => {
  const room = { path: '', store: bench.storeOf(ID), data: join(bench.storeOf(ID), 'data'), settings: '', owner: undefined };
  const packed: Part[][] = [];
  const pack = async (parts: Part[]) => {
    packed.push(parts);
    if (packed.length > 1) return;
    await asAdmin(bench.spec(ID), address, async (sql) => {
      for (let n = 0; n < 40; n++) await sql`SELECT pg_switch_wal(), pg_logical_emit_message(true, 'test', 'x')`;
      await sql.unsafe('CHECKPOINT');
      await sql.unsafe('CHECKPOINT');
    });
  };
  const { backup } = postgresEngine({ unsandboxed: false, path: '' });
  await backup({ room, spec: bench.spec(ID), address, pack, signal: never });
  const [, journal] = packed;
  const label = String(journal?.[0]?.extra?.[0]?.content);
  const first = /\(file (\w+)\)/.exec(label)?.[1] ?? '';
  const segments = journal?.[0]?.include ?? [];
  assert.equal(segments[0], `pg_wal/${first}`);
  assert.ok(segments.length > 40, `${segments.length} segments`);
  const numbers = segments.map((name) => Number.parseInt(name.slice(-8), 16) + 4096 * Number.parseInt(name.slice(-16, -8), 16));
  assert.deepEqual(
    numbers,
    Array.from(numbers, (_, at) => numbers[0]! + at),
    'none is missing',
  );
  const slots = await asAdmin(bench.spec(ID), address, (sql) => sql`SELECT FROM pg_replication_slots`);
  assert.equal(slots.length, 0, 'and recycled afterwards');
});

test('a backup holds what was committed while tables come and go', async () => {
  const going = { on: true };
  const churn = asUser(async (sql) => {
    for (let n = 0; going.on && n < 10_000; n++) {
      await sql.unsafe(`CREATE TABLE passing AS SELECT generate_series(1, 2000) AS n; DROP TABLE passing`);
    }
  });
  await asUser((sql) => sql`CREATE TABLE lasting AS SELECT generate_series(1, 1000) AS n`);
  const file = bench.backupFile('churn');
  const { sha256 } = await bench.driver.backup(bench.spec(ID), address, { file, signal: never });
  going.on = false;
  await churn;
  address = await bench.driver.restore(bench.spec(ID), { file, sha256 }, never);
  const [row] = await asUser((sql) => sql<{ count: number; sum: number }[]>`SELECT count(*)::int, sum(n)::int FROM lasting`);
  assert.deepEqual({ ...row }, { count: 1000, sum: 500_500 });
  await asUser((sql) => sql.unsafe('CREATE INDEX ON lasting (n); ANALYZE'));
});

test('a server that hangs fails what is asked of it in good time', async () => {
  const pid = bench.serverOf(ID);
  assert.ok(pid);
  process.kill(pid, 'SIGSTOP');
  try {
    const begun = performance.now();
    await assert.rejects(bench.driver.measure(bench.spec(ID), address));
    assert.ok(performance.now() - begun < 30_000, 'the hung server would never answer');
    const called = AbortSignal.timeout(300);
    await assert.rejects(bench.driver.backup(bench.spec(ID), address, { file: bench.backupFile('hangs'), signal: called }), {
      name: 'TimeoutError',
    });
    assert.equal(existsSync(bench.backupFile('hangs')), false);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await write();
});

test('the server can write neither its settings nor its access rules', async () => {
  const settings = join(bench.storeOf(ID), '..', 'settings');
  const before = readFileSync(join(settings, 'pg_hba.conf'), 'utf8');
  await asAdmin(bench.spec(ID), address, async (sql) => {
    await assert.rejects(
      sql.unsafe(`COPY (SELECT 'host all all all trust') TO '/settings/pg_hba.conf'`),
      /Read-only file system|Permission denied/,
    );
    await assert.rejects(sql.unsafe(`COPY (SELECT 1) TO '/settings/new'`), /Read-only file system|Permission denied/);
  });
  assert.equal(readFileSync(join(settings, 'pg_hba.conf'), 'utf8'), before);
  assert.equal(existsSync(join(settings, 'new')), false);
});
