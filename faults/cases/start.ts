import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../apps/server/src/db/connect.ts';
import { until } from '../../apps/server/test/platform.ts';
import { sized } from '../../scripts/test/size.ts';
import { failpoints } from '../failpoints/points.ts';
import type { Fault } from '../fault.ts';
import { emptyDatabase, startServer } from '../server-process.ts';

const halfway: Fault = {
  id: 'migration-fails',
  fault: 'a migration that fails halfway',
  expected: 'nothing of the step is kept, the server says which and ends; once the cause is gone it starts',
  short: true,
  async run(_seed, scope) {
    const { url, sql } = await emptyDatabase(scope);
    await sql`create table log_offsets (in_the_way int)`; // the fourth migration makes two tables before this one
    const failing = startServer(scope, { PADDOCK_DATABASE_URL: url });
    const { code, ms } = await failing.ended();
    assert.equal(code, 1);
    assert.match(failing.output(), /Migration 0004-logs\.sql failed; nothing of it was kept/);
    const tables = (
      await sql<{ name: string }[]>`select table_name as name from information_schema.tables where table_schema = 'public'`
    ).map(({ name }) => name);
    assert.ok(tables.includes('deployments') && !tables.includes('log_lines') && !tables.includes('log_heads'), tables.join());
    await sql`drop table log_offsets`;
    await startServer(scope, { PADDOCK_DATABASE_URL: url }).ready();
    return `exit 1 after ${ms} ms naming 0004-logs.sql, steps 1 to 3 kept, nothing of step 4; then started`;
  },
};

const killed: Fault = {
  id: 'migration-killed',
  fault: 'kill -9 between two migrations, and in the middle of one',
  expected: 'the next start goes on where they stand',
  failpoints: ['step-migrated'],
  async run(_seed, scope) {
    const { url, sql } = await emptyDatabase(scope);
    const points = failpoints();
    scope.after(points.remove);
    points.arm('step-migrated', { do: 'die', after: 1 });
    const first = startServer(scope, { PADDOCK_DATABASE_URL: url, ...points.env }, points.execArgv);
    assert.equal((await first.ended()).signal, 'SIGKILL');
    assert.equal((await sql`select 1 from migrations`).length, 2);
    // A migration waits for this session's lock, and the server is killed meanwhile.
    const blocker = connect(url, { max: 1, name: 'faults' });
    scope.after(() => blocker.end());
    const held = Promise.withResolvers<void>();
    const blocking = blocker.begin(async (tx) => {
      await tx`create table log_offsets (in_the_way int)`;
      await held.promise;
      throw new Error('rolled back');
    });
    const second = startServer(scope, { PADDOCK_DATABASE_URL: url });
    await until(
      'a step waits',
      async () => (await sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`).length > 0,
    );
    second.kill();
    await second.ended();
    held.resolve();
    await assert.rejects(blocking, /rolled back/);
    await startServer(scope, { PADDOCK_DATABASE_URL: url }).ready();
    const steps = await sql<{ name: string }[]>`select name from migrations order by name`;
    return `2 steps after the first death; after the third start ${steps.length} steps, each once`;
  },
};

const together: Fault = {
  id: 'migration-twice',
  fault: 'two servers that start together on an empty database',
  expected: 'one migrates, the other waits for it, both come up',
  long: true, // replicas.test.ts starts two servers together as well
  async run(_seed, scope) {
    const { url, sql } = await emptyDatabase(scope);
    const settings = { PADDOCK_DATABASE_URL: url, PADDOCK_SECRET_KEY: randomBytes(32).toString('base64') };
    const servers = [startServer(scope, settings), startServer(scope, settings)];
    await Promise.all(servers.map((server) => server.ready()));
    const migrated = servers.map((server) => [...server.output().matchAll(/"msg":"migrated"/g)].length);
    const steps = (await sql`select 1 from migrations`).length;
    assert.deepEqual(
      migrated.sort((a, b) => a - b),
      [0, steps],
    );
    return `both ready; ${steps} steps by one of them, none by the other`;
  },
};

const downgrade: Fault = {
  id: 'database-of-newer-release',
  fault: 'a database that a newer release has changed',
  expected: 'the server refuses with a clear line and changes nothing',
  async run(_seed, scope) {
    const { url, sql } = await emptyDatabase(scope);
    await sql`create table migrations (name text primary key, applied_at timestamptz not null default now())`;
    await sql`insert into migrations (name) values ('9999-newer.sql')`;
    const refusing = startServer(scope, { PADDOCK_DATABASE_URL: url });
    const { code, ms } = await refusing.ended();
    assert.equal(code, 1);
    assert.match(
      refusing.output(),
      /made by a newer release of Paddock \(it has 9999-newer\.sql\)\. Start that release, or restore a backup/,
    );
    assert.equal((await sql`select 1 from migrations`).length, 1);
    return `exit 1 after ${ms} ms: 'made by a newer release … Start that release, or restore a backup'`;
  },
};

type WrongSetting = [name: string, value: string, code: number];

const file = join(tmpdir(), `paddock-not-a-folder-${process.pid}`);
/** A value that the configuration parser refuses, and two that fail only when used. */
const kinds: WrongSetting[] = [
  ['PADDOCK_SECRET_KEY', 'short', 2],
  ['PADDOCK_DATABASE_URL', 'postgres://nobody:wrong@127.0.0.1:9/none', 1],
  ['PADDOCK_DATA_DIR', `${file}/data`, 1],
];
/** More values that the parser refuses. config.test.ts has them as well, without a process. */
const refusedValues: WrongSetting[] = [
  ['PADDOCK_PORT', 'many', 2],
  ['PADDOCK_ROLE', 'king', 2],
  ['PADDOCK_DATABASE_URL', 'mysql://localhost', 2],
];
const wrong = sized({ short: kinds, long: [...kinds, ...refusedValues] });

const configuration: Fault = {
  id: 'configuration-wrong',
  fault: 'wrong settings, one at a time',
  expected: 'the server ends within seconds and names the variable',
  short: true,
  async run(_seed, scope) {
    writeFileSync(file, '');
    scope.after(() => rmSync(file));
    const seen: string[] = [];
    for (const [name, value, expected] of wrong) {
      const server = startServer(scope, { PADDOCK_DATABASE_URL: 'postgres://127.0.0.1:9/none', [name]: value });
      const { code, ms } = await server.ended(20);
      assert.match(server.output(), new RegExp(name), `${name}=${value}`);
      assert.equal(code, expected, `${name}=${value}: ${server.output()}`);
      seen.push(`${name} ${ms} ms`);
    }
    return seen.join(', ');
  },
};

export const faults: Fault[] = [halfway, killed, together, downgrade, configuration];
