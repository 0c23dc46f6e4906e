import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { emptyDatabase } from '../../test/postgres.ts';
import { connect } from './connect.ts';
import { migrate, refuseOlder } from './migrate.ts';

const folder = join(import.meta.dirname, 'migrations');
const steps = readdirSync(folder).sort();

test('a PostgreSQL that is too old is refused with its version and the one that is needed', () => {
  assert.throws(() => refuseOlder({ number: 140_012, name: '14.12 (Debian 14.12-1)' }), {
    message: /is 14\.12 .* needs 15 or later/,
  });
  for (const number of [150_000, 160_004, 180_001]) refuseOlder({ number, name: '' });
});

test('a migration that is killed in the middle of a step leaves that step undone, and the next start does it', async (t) => {
  const database = await emptyDatabase();
  const sql = connect(database.url, { max: 2 });
  t.after(async () => {
    await sql.end({ timeout: 5 });
    await database.drop();
  });
  const [first = ''] = steps;
  await sql`create table migrations (name text primary key, applied_at timestamptz not null default now())`;
  await sql.unsafe(readFileSync(join(folder, first), 'utf8'));
  await sql`insert into migrations (name) values (${first})`;

  // The second step refers to this table: it blocks in the middle.
  const holder = await sql.reserve();
  await holder`begin`;
  await holder`lock table teams in access exclusive mode`;
  const text = `import { connect } from '${join(import.meta.dirname, 'connect.ts')}'; import { migrate } from '${join(import.meta.dirname, 'migrate.ts')}';
    await migrate(connect(process.env.URL, { name: 'to-be-killed' }));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], {
    env: { PATH: process.env.PATH, URL: database.url },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stuck = () =>
    sql`select pid from pg_stat_activity where application_name = 'to-be-killed' and wait_event_type = 'Lock' and query like 'begin;%'`;
  for (let tries = 0; (await stuck()).length === 0; tries++) {
    assert.ok(tries < 400 && child.exitCode === null, 'it never stood in the middle of the second step');
    await sleep(50);
  }
  child.kill('SIGKILL');
  await once(child, 'exit');
  // Without this the database would notice only when it sends the response, after the whole step: harmless, but not tested here.
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'to-be-killed'`;
  const next = migrate(sql); // waits until the killed one's connection has ended
  await holder`rollback`;
  holder.release();
  assert.deepEqual(await next, steps.slice(1));
  assert.deepEqual(
    (await sql<{ name: string }[]>`select name from migrations order by name`).map((row) => row.name),
    steps,
  );
});

test('migrations only add to what servers of the release before use, so that those can go on beside newer ones', () => {
  const takesAway =
    /\bdrop\s+(table|column|view|function|trigger|index|constraint)|\brename\b|\balter\s+column\b|\bset\s+not\s+null|add\s+column[^;,]*not\s+null(?![^;,]*default)/i;
  const breaking = steps
    .filter((name) => name >= '0006')
    .filter((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      return takesAway.test(text.replaceAll(/--.*$/gm, '')) && !/^-- contract: \S/m.test(text);
    });
  assert.deepEqual(breaking, [], 'take away in a later release, and say in a line "-- contract: …" why nothing uses it any more');
});
