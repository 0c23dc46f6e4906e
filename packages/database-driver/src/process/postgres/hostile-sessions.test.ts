import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseAddress } from '../../driver.ts';
import { type Bench, never, openBench } from '../../test/bench.ts';
import { sqlClient } from '../../test/clients.ts';
import { createDriver } from '../../test/process-driver.ts';
import { asAdmin } from './connect.ts';
import { sizeOfAll } from './measure.ts';

// Sessions of the user try to delay, fail or terminate the platform's changes.
const ID = 'pg';
let bench: Bench;
let address: DatabaseAddress;
let password: string;

before(async () => {
  const module = new URL('../../test/process-driver.ts', import.meta.url).href;
  bench = openBench({ type: 'postgresql', module, createDriver });
  address = await bench.start(ID);
  password = bench.spec(ID).password;
});
after(() => bench.close());

const client = (database = 'app', max = 1) => sqlClient(address.port, password, { database, max });
const spec = () => bench.spec(ID, password);
const setWriting = (writing: 'allowed' | 'read_only' | 'refused') => bench.driver.setWriting(spec(), address, writing);

async function asUser<T>(work: (sql: ReturnType<typeof sqlClient>) => Promise<T>, database?: string): Promise<T> {
  const sql = client(database);
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** The server notices closed connections with a delay, and only then frees their places. */
async function letsIn(): Promise<void> {
  const isIn = () =>
    asUser((sql) => sql`SELECT 1`).then(
      () => true,
      () => false,
    );
  for (let tries = 0; !(await isIn()); tries++) {
    assert.ok(tries < 300, 'somebody is let in again within half a minute');
    await sleep(100);
  }
}

/** Opens a session that begins a transaction with these statements and then stays idle. Returns its process number. */
async function holding(t: TestContext, statements: string): Promise<number> {
  const sql = client();
  t.after(() => sql.end({ timeout: 1 }));
  const [own] = await sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  await sql.unsafe(`BEGIN; ${statements}`);
  return own!.pid;
}

/** Queries the server, because a client that lost its connection may retry forever to sign in with the old password. */
async function sessionsLeft(pids: number[]): Promise<number[]> {
  const rows = await asAdmin(spec(), address, (sql) => sql<{ pid: number }[]>`SELECT pid FROM pg_stat_activity WHERE usename = 'agent'`);
  return rows.map(({ pid }) => pid).filter((pid) => pids.includes(pid));
}

async function rotate(): Promise<void> {
  const before = password;
  const next = `made-up-${Math.random().toString(36).slice(2)}`;
  await bench.driver.setPassword({ ...spec(), password: next }, address);
  password = next;
  const old = sqlClient(address.port, before);
  await assert.rejects(old`SELECT 1`, { code: '28P01' });
  await old.end({ timeout: 1 });
  await asUser((sql) => sql`SELECT 1`);
}

test('a transaction that holds the row of its own role stops no new password', async (t) => {
  const held = await holding(t, "ALTER ROLE agent PASSWORD 'made-up-own'");
  await rotate();
  assert.deepEqual(await sessionsLeft([held]), []);
});

test('a new password ends the sessions that the one before opened', async () => {
  const open = Array.from({ length: 5 }, () => client());
  const pids = (await Promise.all(open.map((sql) => sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`))).map(([row]) => row!.pid);
  await rotate();
  assert.deepEqual(await sessionsLeft(pids), []);
  await Promise.all(open.map((sql) => sql.end({ timeout: 1 })));
});

test('transactions that hold roles, settings or databases stop neither the storage limit nor a start', async (t) => {
  await asUser((sql) => sql.unsafe('CREATE DATABASE held').then(() => sql.unsafe('CREATE TABLE written ()')));
  await asUser((sql) => sql.unsafe('ALTER DATABASE held SET default_transaction_read_only = off'));
  const ways = [
    "ALTER ROLE agent PASSWORD 'made-up-own'",
    'ALTER ROLE agent SET default_transaction_read_only = off',
    'ALTER DATABASE held SET default_transaction_read_only = off',
    'ALTER DATABASE held RENAME TO gone',
    'ALTER DATABASE held CONNECTION LIMIT 3',
    'LOCK TABLE pg_database IN ACCESS SHARE MODE',
  ];
  for (const way of ways) {
    await asUser((sql) => sql.unsafe('ALTER ROLE agent SET default_transaction_read_only = off'));
    await holding(t, way);
    await setWriting('read_only');
    await asUser((sql) => assert.rejects(sql.unsafe('INSERT INTO written DEFAULT VALUES'), { code: '25006' }, way));
    await setWriting('allowed');
    await holding(t, way);
    address = await bench.driver.start(spec(), never);
    await setWriting('refused');
    await assert.rejects(
      asUser((sql) => sql`SELECT 1`),
      { code: '53300' },
      way,
    );
    await setWriting('allowed');
  }
});

test('sessions that change their own role again and again stop no new password', async () => {
  const going = { on: true };
  const clients = Array.from({ length: 6 }, () => client());
  const pesterers = clients.map(async (sql) => {
    // The loop ends when the connections are closed and the password is refused.
    for (let n = 0; going.on && n < 100_000; n++) {
      const done = await sql
        .unsafe("BEGIN; ALTER ROLE agent PASSWORD 'made-up-own'; SELECT pg_sleep(0.2); ROLLBACK")
        .catch((error) => error);
      if (done instanceof Error) break;
    }
  });
  try {
    await rotate();
  } finally {
    going.on = false;
    await Promise.all(clients.map((sql) => sql.end({ timeout: 1 })));
    await Promise.all(pesterers);
  }
});

test('connections that never sign in keep the platform out neither of figures nor of limits nor of passwords', async (t) => {
  const flood = { on: true };
  const sockets = new Set<Socket>();
  t.after(async () => {
    flood.on = false;
    for (const socket of sockets) socket.destroy();
    await letsIn();
  });
  const greeting = Buffer.from('user\0agent\0database\0app\0\0');
  const head = Buffer.alloc(8);
  head.writeInt32BE(greeting.length + 8);
  head.writeInt32BE(196_608, 4);
  const again = (n: number) => {
    if (!flood.on) return;
    const socket = connect(address.port, '127.0.0.1').on('error', () => undefined);
    sockets.add(socket);
    if (n % 2) socket.write(Buffer.concat([head, greeting]));
    socket
      .on('data', () => undefined)
      .on('close', () => {
        sockets.delete(socket);
        setTimeout(() => again(n), 5);
      });
  };
  for (let n = 0; n < 100; n++) again(n);
  const outsider = sqlClient(address.port, spec().admin_password, { user: 'paddock_admin', database: 'postgres' });
  let code: unknown;
  for (let tries = 0; code !== '53300' && tries < 200; tries++)
    code = await outsider`SELECT 1`.then(
      () => 0,
      (error) => error.code,
    );
  await outsider.end({ timeout: 1 });
  assert.equal(code, '53300', 'nobody is let in');
  // A measurement has five seconds; the next one follows within a minute.
  let looks = 0;
  while ((await bench.driver.measure(spec(), address).catch(() => undefined)) === undefined) assert.ok(looks++ < 5, 'one of five looks');
  await setWriting('read_only');
  await setWriting('allowed');
  const next = { ...spec(), password: `made-up-${Math.random().toString(36).slice(2)}` };
  await bench.driver.setPassword(next, address);
  password = next.password;
  await bench.driver.start(spec(), never);
});

test('a database that its user closed, or dropped by half, is there again with the next start', async () => {
  await asUser((sql) => sql.unsafe('CREATE DATABASE another'));
  for (const closing of ['ALLOW_CONNECTIONS false', 'CONNECTION LIMIT 0']) {
    await asUser((sql) => sql.unsafe(`ALTER DATABASE app ${closing}`), 'another');
    address = await bench.driver.start(spec(), never);
    await asUser((sql) => sql`SELECT 1`);
  }
  await asAdmin(spec(), address, (sql) => sql`UPDATE pg_database SET datconnlimit = -2 WHERE datname = 'app'`);
  address = await bench.driver.start(spec(), never);
  await asUser((sql) => sql`CREATE TABLE anew ()`);
});

test('settings that a user stored do not reach the platform, and no transaction outlives its session', async () => {
  const settings = [
    'role = agent',
    'search_path = evil',
    'statement_timeout = 1',
    'transaction_timeout = 1',
    'transaction_read_only = off',
  ];
  await asUser(async (sql) => {
    for (const setting of settings) await sql.unsafe(`ALTER DATABASE app SET ${setting}`);
    for (const setting of settings) await sql.unsafe(`ALTER ROLE agent SET ${setting}`).catch(() => 'its own limits end it');
  }, 'another');
  address = await bench.driver.start(spec(), never);
  await setWriting('read_only');
  await setWriting('allowed');
  await rotateAsPlatform();
  await asAdmin(spec(), address, async (sql) => {
    await sql.unsafe('ALTER DATABASE app RESET ALL');
    await sql.unsafe('ALTER ROLE agent RESET ALL');
  });
  await asUser((sql) => assert.rejects(sql.unsafe("BEGIN; PREPARE TRANSACTION 'left'"), { code: '55000' }));
});

const rotateAsPlatform = () => bench.driver.setPassword(spec(), address);

test('many databases are measured in bounded time: those that are not looked at count like the others', async () => {
  await asAdmin(spec(), address, async (sql) => {
    const whole = await sizeOfAll(sql, 60_000);
    const guessed = await sizeOfAll(sql, 0);
    assert.ok(guessed > whole / 2 && guessed < whole * 2, `${guessed} for ${whole} bytes`);
  });
});
