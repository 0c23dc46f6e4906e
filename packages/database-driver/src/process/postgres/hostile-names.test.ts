import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { DatabaseAddress } from '../../driver.ts';
import { type Bench, never, openBench } from '../../test/bench.ts';
import { sqlClient } from '../../test/clients.ts';
import { createDriver } from '../../test/process-driver.ts';
import { asAdmin } from './connect.ts';

// Users name their databases, schemas and tables as they like.
const ID = 'names';
let bench: Bench;
let address: DatabaseAddress;

before(async () => {
  const module = new URL('../../test/process-driver.ts', import.meta.url).href;
  bench = openBench({ type: 'postgresql', module, createDriver });
  address = await bench.start(ID);
});
after(() => bench.close());

const LIKE_PATHS = ['a.b', 'a.b.c', '.', 'app.public', 'a"."b'];
const LIKE_CODE = [
  '"',
  `'`,
  '""; DROP DATABASE app; --',
  '/*',
  '--',
  '$1',
  '$$',
  ';',
  '\\',
  "\\'",
  '%',
  '%I',
  '%s%n',
  '{}',
  '(',
  '[a]',
  ':x',
];
const LIKE_ARGUMENTS = ['-', '-h', '--help', '--dbname=postgres', 'host=203.0.113.7', 'postgres://203.0.113.7/x'];
const LIKE_OURS = ['template1 ', 'Template1', 'POSTGRES', 'paddock_admin', 'agent', ' ', 'all', 'replication', 'sameuser'];
const LIKE_LINES = ['a\nb', 'a\rb', '\t', 'ünï', '\u202e', '\u2028', '😀', '\u00a0', 'a\u0001b'];
const LONG = ['x'.repeat(63), '"'.repeat(63), '.'.repeat(63), 'ü'.repeat(31)];

/** Random but repeatable, so that a failure can be reproduced. */
function drawn(count: number): string[] {
  let state = 7;
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
  const letters = `."'\\%-;$ \n{}aÄ`.split('');
  return Array.from(
    { length: count },
    (_, n) => `${n}${Array.from({ length: 1 + next(12) }, () => letters[next(letters.length)]).join('')}`,
  );
}

const names = [...LIKE_PATHS, ...LIKE_CODE, ...LIKE_ARGUMENTS, ...LIKE_OURS, ...LIKE_LINES, ...LONG, ...drawn(8)];
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

async function asUser<T>(work: (sql: ReturnType<typeof sqlClient>) => Promise<T>, database = 'app'): Promise<T> {
  const sql = sqlClient(address.port, bench.spec(ID).password, { database });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

test('whatever a user names a database, it becomes read-only and writable again with the others', async () => {
  await asUser(async (sql) => {
    for (const name of names) {
      await sql.unsafe(`CREATE DATABASE ${quoted(name)}`);
      await sql.unsafe(`ALTER DATABASE ${quoted(name)} SET default_transaction_read_only = off`);
      await sql.unsafe(`ALTER ROLE agent IN DATABASE ${quoted(name)} SET default_transaction_read_only = off`);
    }
    const made = await sql`SELECT FROM pg_database WHERE datname IN ${sql(names)}`;
    assert.equal(made.length, names.length);
  });
  await bench.driver.setWriting(bench.spec(ID), address, 'read_only');
  for (const name of names) {
    await asUser((sql) => assert.rejects(sql.unsafe('CREATE TABLE t ()'), { code: '25006' }, JSON.stringify(name)), name);
  }
  await bench.driver.setWriting(bench.spec(ID), address, 'allowed');
  await asUser((sql) => sql.unsafe('CREATE TABLE t ()'), 'a.b');
});

test('a server with such names is measured, started anew, given a password, backed up and restored', async () => {
  const { size_bytes } = await bench.driver.measure(bench.spec(ID), address);
  assert.ok(size_bytes > names.length * 5_000_000, `${size_bytes} bytes in ${names.length} databases`);
  // More databases would enlarge the backup without adding names.
  const kept = names.filter((_, n) => n % 6 === 0);
  await asUser(async (sql) => {
    for (const name of names.filter((one) => !kept.includes(one))) await sql.unsafe(`DROP DATABASE ${quoted(name)}`);
    for (const name of names) await sql.unsafe(`CREATE SCHEMA ${quoted(name)}; CREATE TABLE ${quoted(name)}.${quoted(name)} ()`);
  });
  await bench.driver.stop(ID);
  address = await bench.start(ID);
  await bench.driver.setPassword(bench.spec(ID), address);
  const file = bench.backupFile('names');
  const { sha256 } = await bench.driver.backup(bench.spec(ID), address, { file, signal: never });
  address = await bench.driver.restore(bench.spec(ID), { file, sha256 }, never);
  await asUser(async (sql) => {
    const [row] = await sql<{ count: number }[]>`SELECT count(*)::int FROM pg_database WHERE datname IN ${sql(kept)}`;
    assert.equal(row?.count, kept.length);
  });
});

test('more stored settings than the server has locks do not keep a database from becoming read-only', async () => {
  const few = { ...bench.spec(ID), limits: { ...bench.spec(ID).limits, connections: 5 } };
  await bench.driver.stop(ID);
  address = await bench.driver.start(few, never);
  const asPlatform = (statements: string) => asAdmin(few, address, (sql) => sql.unsafe(statements));
  // Only rows, because so many whole databases would fill the disk.
  const [columns] = await asPlatform(`
    SELECT string_agg(attname, ', ') AS others
      FROM pg_attribute
     WHERE attrelid = 'pg_database'::regclass
       AND attnum > 0
       AND attname NOT IN ('oid', 'datname')`);
  await asPlatform(`
    INSERT INTO pg_database (oid, datname, ${columns!.others})
    SELECT 1000000 + n, 'row ' || n, ${columns!.others}
      FROM pg_database, generate_series(1, 4900) AS n
     WHERE datname = 'app';
    INSERT INTO pg_db_role_setting (setdatabase, setrole, setconfig)
    SELECT pg_database.oid, pg_roles.oid, '{default_transaction_read_only=off}'
      FROM pg_database, pg_roles
     WHERE datname LIKE 'row %'
       AND rolname = 'agent'`);
  try {
    await bench.driver.setWriting(few, address, 'read_only');
    const [left] = await asPlatform("SELECT count(*)::int AS settings FROM pg_db_role_setting WHERE setconfig::text LIKE '%read_only%'");
    assert.equal(left?.settings, 0);
    await asUser((sql) => assert.rejects(sql.unsafe('CREATE TABLE one_more ()'), { code: '25006' }));
  } finally {
    await asPlatform("DELETE FROM pg_database WHERE datname LIKE 'row %'");
  }
});
