import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sql } from 'postgres';
import type { DatabaseSpec } from '../driver.ts';
import type { Bench } from './bench.ts';
import { redisClient, sqlClient } from './clients.ts';

/** The user of a database cannot gain other rights. */
export function refusalTests(bench: () => Bench): void {
  test('the user cannot become more than it is, nor reach the machine through its server', async () => {
    const { type, start, spec } = bench();
    const { port } = await start('bounds');
    await (type === 'postgresql' ? postgresRefuses(port, spec('bounds')) : redisRefuses(port, spec('bounds').password));
  });

  test('the user can do what an application needs', async () => {
    const { type, start, spec } = bench();
    const { port } = await start('bounds');
    await (type === 'postgresql' ? postgresAllows(port, spec('bounds').password) : redisAllows(port, spec('bounds').password));
  });
}

/** Statements that are refused because the user has no rights, or because this server has no such extension. */
const DENIED = /permission denied|must be owner|must be able to SET ROLE|access to library|extension "\w+" is not available/i;

async function postgresRefuses(port: number, { password, admin_password }: DatabaseSpec): Promise<void> {
  const admin = sqlClient(port, admin_password, { user: 'paddock_admin', database: 'postgres' });
  const [session] = await admin`SELECT pg_backend_pid() AS pid`;
  const sql = sqlClient(port, password);
  const statements = [
    'ALTER ROLE agent SUPERUSER',
    'ALTER ROLE agent CREATEROLE',
    'ALTER ROLE agent REPLICATION',
    'ALTER ROLE agent BYPASSRLS',
    'ALTER ROLE agent CONNECTION LIMIT -1',
    "ALTER ROLE paddock_admin PASSWORD 'guess'",
    'CREATE ROLE other LOGIN SUPERUSER',
    'SET ROLE paddock_admin',
    'SET SESSION AUTHORIZATION paddock_admin',
    'GRANT pg_read_server_files TO agent',
    'GRANT paddock_admin TO agent',
    'SELECT rolpassword FROM pg_authid',
    'SELECT passwd FROM pg_shadow',
    "SELECT pg_read_file('postgresql.conf')",
    "SELECT pg_read_file('/settings/admin-password')",
    "SELECT pg_read_binary_file('global/pg_control')",
    "SELECT pg_ls_dir('/')",
    "SELECT pg_stat_file('/etc/passwd')",
    "SELECT lo_import('/etc/passwd')",
    "COPY (SELECT 1) TO PROGRAM 'id'",
    "COPY (SELECT 1) TO '/store/file'",
    "CREATE TEMP TABLE t (x text); COPY t FROM '/etc/passwd'",
    "CREATE TEMP TABLE t (x text); COPY t FROM PROGRAM 'id'",
    "ALTER SYSTEM SET log_statement = 'all'",
    'SELECT pg_reload_conf()',
    "SET log_min_messages = 'debug5'",
    "SET log_statement = 'all'",
    "SET log_min_error_statement = 'error'",
    'CREATE EXTENSION dblink',
    'CREATE EXTENSION postgres_fdw',
    'CREATE EXTENSION file_fdw',
    'CREATE EXTENSION adminpack',
    'CREATE EXTENSION pageinspect',
    "CREATE FUNCTION f() RETURNS int LANGUAGE c AS 'libc', 'getpid'",
    "CREATE SUBSCRIPTION s CONNECTION 'host=127.0.0.1' PUBLICATION p WITH (connect = false)",
    "SELECT pg_create_physical_replication_slot('mine')",
    "SELECT pg_backup_start('mine')",
    'SELECT pg_switch_wal()',
    "CREATE TABLESPACE t LOCATION '/tmp'",
    'CREATE EVENT TRIGGER e ON ddl_command_end EXECUTE FUNCTION suppress_redundant_updates_trigger()',
    `SELECT pg_terminate_backend(${session?.pid})`,
    `SELECT pg_cancel_backend(${session?.pid})`,
    'ALTER DATABASE postgres OWNER TO agent',
    'DROP DATABASE postgres',
    'CREATE DATABASE other OWNER paddock_admin',
    'CHECKPOINT',
    "LOAD '/store/data/library.so'",
  ];
  const letThrough: string[] = [];
  for (const statement of statements) {
    const outcome = await sql.unsafe(statement).then(
      (rows) => `went through: ${JSON.stringify(rows)}`,
      (error: Error) => error.message,
    );
    if (!DENIED.test(outcome)) letThrough.push(`${statement}: ${outcome}`);
  }
  assert.deepEqual(letThrough, []);
  for (const database of ['postgres', 'template1', 'template0']) {
    const elsewhere = sqlClient(port, password, { database });
    await assert.rejects(elsewhere`SELECT 1`, /permission denied for database|not currently accepting/, database);
    await elsewhere.end({ timeout: 1 });
  }
  const [self] =
    await sql`SELECT rolsuper, rolcreaterole, rolreplication, rolbypassrls, rolcreatedb FROM pg_roles WHERE rolname = current_user`;
  assert.deepEqual({ ...self }, { rolsuper: false, rolcreaterole: false, rolreplication: false, rolbypassrls: false, rolcreatedb: true });
  await sql.end({ timeout: 1 });
}

async function postgresAllows(port: number, password: string): Promise<void> {
  const sql = sqlClient(port, password);
  await sql.unsafe(`
    CREATE SCHEMA shop; CREATE TABLE shop.orders (id bigserial PRIMARY KEY, note jsonb); CREATE INDEX ON shop.orders USING gin (note);
    CREATE TYPE state AS ENUM ('open', 'done'); CREATE VIEW recent AS SELECT * FROM shop.orders;
    CREATE FUNCTION add(a int, b int) RETURNS int LANGUAGE sql AS 'SELECT a + b';
    CREATE EXTENSION pgcrypto; CREATE EXTENSION hstore; CREATE EXTENSION citext; CREATE EXTENSION pg_trgm;`);
  await sql.unsafe('CREATE DATABASE another');
  const another = sqlClient(port, password, { database: 'another' });
  await another`CREATE TABLE things (n int)`;
  await another.end({ timeout: 1 });
  await sql.unsafe('DROP DATABASE another');
  await limitHolds(sql, port, password);
  await sql.end({ timeout: 1 });
}

async function limitHolds(sql: Sql, port: number, password: string): Promise<void> {
  const many = sqlClient(port, password, { max: 30 });
  const asked = await Promise.allSettled(Array.from({ length: 30 }, () => many`SELECT pg_sleep(0.3)`));
  const refused = asked.filter((one) => one.status === 'rejected').map(({ reason }) => (reason as { code: string }).code);
  assert.ok(refused.length >= 10, `${refused.length} refused`);
  assert.deepEqual(new Set(refused), new Set(['53300']));
  await many.end({ timeout: 1 });
  await sql`SELECT 1`;
}

async function redisRefuses(port: number, password: string): Promise<void> {
  const redis = redisClient(port, password);
  await redis.connect();
  const commands = [
    'CONFIG SET dir /tmp',
    'CONFIG SET maxmemory 0',
    'CONFIG REWRITE',
    'ACL SETUSER agent +@all',
    'ACL SETUSER other on nopass +@all',
    'ACL LIST',
    'ACL GETUSER agent',
    'ACL LOAD',
    'MODULE LOAD /tmp/library.so',
    'REPLICAOF 127.0.0.1 6379',
    'SLAVEOF 127.0.0.1 6379',
    'MIGRATE 127.0.0.1 6379 key 0 1000',
    'DEBUG SLEEP 0',
    'DEBUG SEGFAULT',
    'SHUTDOWN NOSAVE',
    'BGREWRITEAOF',
    'SAVE',
    'PSYNC ? -1',
    'SYNC',
    'MONITOR',
    'FAILOVER',
    'CLUSTER MEET 127.0.0.1 6379',
  ];
  const letThrough: string[] = [];
  for (const command of commands) {
    const [name = '', ...args] = command.split(' ');
    const answer: unknown = await redis.call(name, ...args).catch((error: unknown) => error);
    if (!(answer instanceof Error && /NOPERM|command not allowed/.test(answer.message))) letThrough.push(`${command}: ${String(answer)}`);
  }
  assert.deepEqual(letThrough, []);
  const scripts = [
    "return io.open('/etc/passwd')",
    "return os.execute('id')",
    "return redis.call('CONFIG', 'GET', '*')",
    "return loadfile('/etc/passwd')",
    "return package.loadlib('x', 'y')",
  ];
  for (const script of scripts) await assert.rejects(redis.call('EVAL', script, '0'), script);
  assert.equal(await redis.ping(), 'PONG');
  redis.disconnect();
}

async function redisAllows(port: number, password: string): Promise<void> {
  const redis = redisClient(port, password);
  await redis.connect();
  await redis.set('text', 'value', 'EX', 60);
  await redis.hset('hash', { a: '1' });
  await redis.lpush('list', 'one', 'two');
  await redis.xadd('stream', '*', 'field', 'value');
  assert.equal(await redis.eval("return redis.call('GET', KEYS[1])", 1, 'text'), 'value');
  assert.deepEqual(await redis.multi().incr('counter').incr('counter').exec(), [
    [null, 1],
    [null, 2],
  ]);
  assert.match(await redis.info(), /redis_version|valkey_version/);
  assert.ok((await redis.scan(0))[1].length >= 5);
  redis.disconnect();
}
