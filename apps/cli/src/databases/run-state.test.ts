import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { run, type Script, scriptedApi } from './scripted-api.ts';

const database = (more: object = {}) => ({
  id: 'db_pg',
  type: 'postgresql',
  project_name: 'chat',
  environment: 'production',
  status: 'stopped',
  status_message: null,
  ...more,
});
/** A server with one database, which has these states one after the other. */
const serverWith = (t: TestContext, states: object[], script: Script = {}) =>
  scriptedApi(t, {
    'GET /databases/db_pg': () => (states.length > 1 ? states.shift() : states[0]),
    'POST /databases/db_pg/start': () => database(),
    'POST /databases/db_pg/stop': () => database({ status: 'available' }),
    'POST /databases/db_pg/rotate-password': () => database({ status: 'available' }),
    ...script,
  });

test('start waits until the database answers, and stop until it is stopped', async (t) => {
  const up = database({ status: 'available' });
  const starting = await serverWith(t, [database(), database(), database({ status: 'provisioning' }), up]);
  assert.equal((await run(starting.url, ['db', 'start', 'db_pg'])).out, 'Started postgresql of chat (production).\n');
  const stopping = await serverWith(t, [up, up, database()]);
  assert.equal((await run(stopping.url, ['db', 'stop', 'db_pg'])).out, 'Stopped postgresql of chat (production).\n');
  const hurried = await run(stopping.url, ['db', 'stop', 'db_pg', '--no-wait']);
  assert.equal(hurried.out, 'Stopping postgresql of chat (production).\n');
});

test('rotate tells what happens to agents, and where the new address is', async (t) => {
  const { url, asked } = await serverWith(t, [database({ status: 'available' })]);
  const { code, out } = await run(url, ['db', 'rotate', 'db_pg']);
  assert.equal(code, 0);
  assert.match(out, /has a new password\. Agents that use it start anew .*paddock db url db_pg/);
  assert.equal(asked.at(-1), 'POST /databases/db_pg/rotate-password');
});

test('metrics show the last values and the sums of what was measured, and leave out what was not', async (t) => {
  const point = (hour: number, more: object) => ({
    ...{ at: `2026-01-31T0${hour}:00:00.000Z`, size_bytes: null, memory_bytes: null, connections: null, transactions: null },
    ...{ cache_hit_ratio: null, keys: null, evictions: null, ...more },
  });
  const points = [point(1, { size_bytes: 1024 ** 2, transactions: 40 }), point(2, { size_bytes: 3 * 1024 ** 2, transactions: 2 })];
  const { url } = await serverWith(t, [database({ status: 'available' })], {
    'GET /databases/db_pg/metrics': ({ time_range }) => ({ time_range, step_s: 3600, points }),
  });
  const { out } = await run(url, ['db', 'metrics', 'db_pg', '--range', '7d']);
  assert.match(out, /^Range {8}last 7d$/m);
  assert.match(out, /^Size {9}3\.0 MB +▄█$/m);
  assert.match(out, /^Transactions 42 +█▂$/m);
  assert.doesNotMatch(out, /Keys|Memory/);
});

/** A program of that name that prints its arguments and the variables of database clients. */
function fakeProgram(t: TestContext, name: string) {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-client-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const seen = join(folder, 'seen');
  writeFileSync(
    join(folder, name),
    `#!/bin/sh\n{ echo "args: $@"; /usr/bin/env | /usr/bin/grep -E '^(PG|REDIS)' | /usr/bin/sort; } > ${seen}\nkill -INT $PPID\n/usr/bin/sleep 0.2\nexit 3\n`,
  );
  chmodSync(join(folder, name), 0o755);
  return { folder, seen };
}

test('connect gives psql and redis-cli the address without a password in the command line, and ends with their code', async (t) => {
  let interrupts = 0;
  const count = () => void interrupts++;
  process.on('SIGINT', count);
  t.after(() => process.off('SIGINT', count));
  const secret = (connection_string: string): Script => ({
    'GET /databases/db_pg/connection-string': () => ({ connection_string, env_var: 'DATABASE_URL', command: '' }),
  });
  const psql = fakeProgram(t, 'psql');
  const pg = await serverWith(
    t,
    [database({ status: 'available' })],
    secret('postgresql://agent:p%40ss@127.0.0.1:41001/app?sslmode=require'),
  );
  assert.equal((await run(pg.url, ['db', 'connect', 'db_pg'], { more: { PATH: psql.folder, PGHOSTADDR: '203.0.113.9' } })).code, 3);
  assert.deepEqual(readFileSync(psql.seen, 'utf8').trim().split('\n'), [
    'args: ',
    ...['PGDATABASE=app', 'PGHOST=127.0.0.1', 'PGPASSWORD=p@ss', 'PGPORT=41001', 'PGSSLMODE=require', 'PGUSER=agent'],
  ]);
  const cli = fakeProgram(t, 'redis-cli');
  const redis = await serverWith(t, [database({ type: 'redis', status: 'available' })], secret('redis://default:word@127.0.0.1:41002/0'));
  assert.equal((await run(redis.url, ['db', 'connect', 'db_pg'], { more: { PATH: cli.folder } })).code, 3);
  assert.deepEqual(readFileSync(cli.seen, 'utf8').trim().split('\n'), [
    'args: -h 127.0.0.1 -p 41002 --user default -n 0',
    'REDISCLI_AUTH=word',
  ]);
  const without = await run(redis.url, ['db', 'connect', 'db_pg'], { more: { PATH: psql.folder, PGHOSTADDR: '203.0.113.9' } });
  assert.equal(interrupts, 0, 'Ctrl-C is for the program');
  assert.ok(process.listeners('SIGINT').includes(count));
  assert.equal(without.code, 4);
  assert.match(without.notes, /redis-cli is not on this machine\..* apt install redis-tools/);
});
