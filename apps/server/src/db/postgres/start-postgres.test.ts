import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import { createDatabase } from './create-database.ts';
import { postgresProcesses } from './processes.ts';
import { type Postgres, startPostgres } from './start-postgres.ts';

const WAIT_MS = 30_000;
const home = mkdtempSync(join(tmpdir(), 'paddock-postgres-'));
const running = new Set<Postgres>();
const messages: string[] = [];
const say = (_: object, message: string) => void messages.push(message);
const log = { info: say, warn: say, error: say };

afterEach(async () => {
  for (const server of running) await server.stop();
  running.clear();
  messages.length = 0;
});
after(() => rmSync(home, { recursive: true, force: true }));

test('what was written is there after a stop and a new start', async (t) => {
  const dataDir = join(home, 'again');
  const first = await start(dataDir);
  await query(first.url, (sql) => sql`CREATE TABLE kept AS SELECT 42 AS answer`);
  await first.stop();
  assert.equal(await first.exited, undefined);
  assert.deepEqual(postgresProcesses(join(dataDir, 'postgres')), []);

  const second = await start(dataDir);
  assert.equal(second.url, first.url, 'the address stays');
  const [row] = await query(second.url, (sql) => sql`SELECT answer, current_setting('server_version_num') AS version FROM kept`);
  assert.equal(row?.['answer'], 42);
  assert.match(row?.['version'], /^18/);
  t.diagnostic(messages.join(', '));
});

test('it listens on the loopback address alone, behind a password that only the owner can read', async () => {
  const dataDir = join(home, 'closed');
  const { url } = await start(dataDir);
  assert.equal(statSync(join(dataDir, 'postgres.secret')).mode & 0o777, 0o600);
  const [row] = await query(
    url,
    (sql) => sql`SELECT current_setting('listen_addresses') AS addresses, current_setting('unix_socket_directories') AS sockets`,
  );
  assert.deepEqual({ ...row }, { addresses: '127.0.0.1', sockets: '' });
  const stranger = new URL(url);
  stranger.password = 'guess';
  await assert.rejects(
    query(stranger.href, (sql) => sql`SELECT 1`),
    /password authentication failed/,
  );
});

test('a killed server comes back under the same address with every committed row', async () => {
  const dataDir = join(home, 'killed');
  const { url } = await start(dataDir);
  await query(url, (sql) => sql`CREATE TABLE kept AS SELECT generate_series(1, 1000) AS n`);
  process.kill(postmasterPid(dataDir), 'SIGKILL');
  await until('it runs again', () => messages.includes('PostgreSQL restarted'));
  const [row] = await query(url, (sql) => sql`SELECT count(*)::int AS rows FROM kept`);
  assert.equal(row?.['rows'], 1000);
});

test('a server whose owner was killed is taken over, still running', async (t) => {
  const dataDir = join(home, 'orphaned');
  const owner = await startInAnotherProcess(t, dataDir);
  const pid = postmasterPid(dataDir);
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  const { url, stop } = await start(dataDir);
  assert.equal(postmasterPid(dataDir), pid);
  await query(url, (sql) => sql`SELECT 1`);
  await stop();
  assert.deepEqual(postgresProcesses(join(dataDir, 'postgres')), []);
});

test('an adopted server that dies is started again', async (t) => {
  const dataDir = join(home, 'adopted');
  const owner = await startInAnotherProcess(t, dataDir);
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  const { url } = await start(dataDir);
  process.kill(postmasterPid(dataDir), 'SIGKILL');
  await until('it runs again', () => messages.includes('PostgreSQL restarted'));
  await query(url, (sql) => sql`SELECT 1`);
});

test('a second start on the same folder is refused with the way out, and the first goes on', async () => {
  const dataDir = join(home, 'shared');
  const { url } = await start(dataDir);
  await assert.rejects(start(dataDir), /already runs Paddock on .*PADDOCK_DATA_DIR/);
  await query(url, (sql) => sql`SELECT 1`);
});

test('a start that was cut short while the folder was being made is made good', async () => {
  const dataDir = join(home, 'half');
  mkdirSync(join(dataDir, 'postgres.draft', 'data'), { recursive: true });
  writeFileSync(join(dataDir, 'postgres.draft', 'data', 'PG_VERSION'), '18\n');
  const { url } = await start(dataDir);
  await query(url, (sql) => sql`SELECT 1`);
  assert.equal(existsSync(join(dataDir, 'postgres.draft')), false);
});

test('a stale pid file that names a living stranger does not keep it from starting', async () => {
  const dataDir = join(home, 'stale');
  const { stop } = await start(dataDir);
  await stop();
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  writeFileSync(file, `${process.pid}\n${dataDir}\n1700000000\n5432\n\n127.0.0.1\n 1 1\nready   \n`);
  const { url } = await start(dataDir);
  await query(url, (sql) => sql`SELECT 1`);
  assert.notEqual(postmasterPid(dataDir), process.pid);
});

test('the folder may lie deep, have spaces in its name and be closed to every other user', async () => {
  const closed = join(home, 'closed to others');
  const dataDir = join(closed, 'a folder with a long name '.repeat(6).trim(), "and 'quotes' $HOME", 'data');
  mkdirSync(dataDir, { recursive: true });
  chmodSync(closed, 0o700);
  const { url } = await start(dataDir);
  await query(url, (sql) => sql`SELECT 1`);
});

test('an aborted start leaves no process behind', async () => {
  const dataDir = join(home, 'aborted');
  const abort = new AbortController();
  const starting = startPostgres({ dataDir, log, signal: abort.signal });
  await until('initdb works', () => existsSync(join(dataDir, 'postgres.draft', 'data', 'PG_VERSION')));
  abort.abort();
  await assert.rejects(starting, { name: 'AbortError' });
  const { url } = await start(dataDir);
  await query(url, (sql) => sql`SELECT 1`);
});

test('a database is made once, and can start as a copy of another', async () => {
  const { url } = await start(join(home, 'databases'));
  const original = await createDatabase(url, 'original');
  await query(original, (sql) => sql`CREATE TABLE kept AS SELECT 7 AS n`);
  assert.equal(await createDatabase(url, 'original'), original);
  const copy = await createDatabase(url, 'copy', { template: 'original' });
  const [row] = await query(copy, (sql) => sql`SELECT n, current_database() AS name FROM kept`);
  assert.deepEqual({ ...row }, { n: 7, name: 'copy' });
});

async function start(dataDir: string): Promise<Postgres> {
  const server = await startPostgres({ dataDir, log, signal: AbortSignal.timeout(WAIT_MS) });
  running.add(server);
  return server;
}

async function startInAnotherProcess(t: TestContext, dataDir: string) {
  const code = `
    import { startPostgres } from ${JSON.stringify(new URL('./start-postgres.ts', import.meta.url).href)};
    const quiet = { info() {}, warn() {}, error() {} };
    await startPostgres({ dataDir: ${JSON.stringify(dataDir)}, log: quiet, signal: AbortSignal.timeout(${WAIT_MS}) });
    console.log('ready');
    setInterval(() => {}, 1000);`;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => owner.kill('SIGKILL'));
  await once(owner.stdout, 'data');
  return owner;
}

async function query(url: string, ask: (sql: postgres.Sql) => Promise<postgres.RowList<postgres.Row[]>>) {
  const sql = postgres(url, { max: 1 });
  try {
    return await ask(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

function postmasterPid(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

async function until(what: string, isSo: () => boolean) {
  for (const deadline = Date.now() + WAIT_MS; Date.now() < deadline; await delay(20)) if (isSo()) return;
  assert.fail(`Waited in vain until ${what}.`);
}
