import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startApi } from '../../test/server.ts';
import { connect } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import { startPostgres } from '../db/postgres/start-postgres.ts';
import { sharedProbe } from './health.ts';

/** The promise is a second; a busy machine may take ten times as long. */
const boundMs = 10_000;

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A separate PostgreSQL of which all processes can be stopped. */
async function ownPostgres(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-test-pg-'));
  const server = await startPostgres({ dataDir: folder, log: quiet, signal: AbortSignal.timeout(60_000) });
  const [file = ''] = globSync('**/postmaster.pid', { cwd: folder });
  const pid = Number(readFileSync(join(folder, file), 'utf8').split('\n')[0]);
  const signal = (name: NodeJS.Signals) => {
    for (const each of [pid, ...childrenOf(pid)])
      try {
        process.kill(each, name);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // a connection's process that ended meanwhile
      }
  };
  const sql = connect(server.url, { max: 1 });
  await migrate(sql);
  await sql.end();
  const drop = async () => {
    signal('SIGCONT');
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  t.diagnostic(`PostgreSQL ${pid}`);
  return { database: { url: server.url, drop }, signal };
}

const childrenOf = (pid: number) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => parentOf(each) === pid);

function parentOf(pid: number): number | undefined {
  try {
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[1],
    );
  } catch (error) {
    if (/^(ENOENT|ESRCH)$/.test(Object(error).code)) return undefined; // it exited meanwhile
    throw error;
  }
}

async function asked(origin: string, path: string) {
  const answer = await fetch(origin + path, { signal: AbortSignal.timeout(boundMs) });
  return [answer.status, await answer.json()] as const;
}

test('a server whose PostgreSQL stands still says so at once, is alive, opens no more connections for it, and is ready again when it goes on', async (t) => {
  const { database, signal } = await ownPostgres(t);
  const { origin } = await startApi(t, { database });
  const fine = [200, { ok: true, database: 'ok' }];
  for (const path of ['/healthz', '/readyz']) assert.deepEqual(await asked(origin, path), fine);

  signal('SIGSTOP');
  for (const path of ['/healthz', '/readyz', '/healthz'])
    assert.deepEqual(await asked(origin, path), [503, { ok: false, database: 'silent' }]);
  await Promise.all(Array.from({ length: 200 }, () => asked(origin, '/readyz')));
  assert.deepEqual(await asked(origin, '/livez'), [200, { ok: true }]);

  signal('SIGCONT');
  const until = Date.now() + 300_000;
  while ((await asked(origin, '/readyz'))[0] !== 200) {
    assert.ok(Date.now() < until, 'it never became ready again');
    await sleep(100);
  }
  assert.deepEqual(await asked(origin, '/healthz'), fine);
  const sql = connect(database.url, { max: 1 });
  const probes = await sql`select 1 from pg_stat_activity where application_name = 'paddock-health'`;
  await sql.end();
  assert.equal(probes.length, 1);
});

test('a server whose PostgreSQL is gone says that it cannot be reached, and lives', async (t) => {
  const { database } = await ownPostgres(t);
  let gone = false;
  const drop = async () => (gone ? undefined : database.drop());
  const { origin } = await startApi(t, { database: { url: database.url, drop } });
  await database.drop();
  gone = true;
  const [status, { database: state }] = (await asked(origin, '/readyz')) as [number, { database: string }];
  assert.equal(status, 503);
  assert.match(state, /^(unreachable|silent)$/);
  assert.deepEqual(await asked(origin, '/livez'), [200, { ok: true }]);
});

test('all who ask share one probe, and a probe that does not come back is not followed by another', async () => {
  let begun = 0;
  let answer = Promise.withResolvers<unknown>();
  const probe = sharedProbe(() => {
    begun += 1;
    return answer.promise;
  }, quiet);
  const first = await Promise.all(Array.from({ length: 50 }, probe));
  assert.deepEqual([new Set(first), begun], [new Set(['silent']), 1]);
  assert.equal(await probe(), 'silent');
  assert.equal(begun, 1);
  answer.resolve([]);
  await sleep(1);
  assert.equal(await probe(), 'ok');
  answer = Promise.withResolvers();
  answer.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
  assert.equal(await probe(), 'unreachable');
  assert.equal(begun, 3);
});
