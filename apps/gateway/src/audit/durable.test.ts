import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, type TestContext, test } from 'node:test';
import { eventsIn, recordsOf } from '../../test/audit.ts';
import { startDatabase, type TestDatabase } from '../../test/database.ts';
import { type Agent, ask, echo, type Fixture, startAgent, startFixture, until } from '../../test/fixture.ts';
import { startGatewayProcess } from '../../test/gateway-process.ts';
import { protect } from '../../test/protection.ts';

let database: TestDatabase;
let fixture: Fixture;
let agent: Agent;
before(async () => {
  database = await startDatabase({ ownServer: true });
  // The fixture's own gateway sets routes, and records in its own spool.
  fixture = await startFixture({ database });
  agent = await startAgent(echo());
  await fixture.route('kept', agent);
});
beforeEach(() => database.sql`delete from audit_intake`);
after(async () => {
  await fixture.close();
  await database.close();
  await agent.close();
});

function spoolDir(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-spools-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Everything in the files of a folder. */
const stored = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join();

const post = { method: 'POST', body: JSON.stringify({ email: 'ada@example.com' }), headers: { 'content-type': 'application/json' } };

test('after kill -9 under load each request that was answered has its two records, once, from the next gateway', async (t) => {
  const env = { PADDOCK_AUDIT_SPOOL_DIR: spoolDir(t) };
  const answered: unknown[] = [];
  for (let round = 0; round < 3; round++) {
    const gateway = await startGatewayProcess(database.url, env);
    const end = new AbortController();
    const visitors = Array.from({ length: 8 }, async (_, n) => {
      while (!end.signal.aborted) {
        const told = await ask(gateway.port, 'kept.localhost', `/${n}`, n % 2 ? post : {}).catch(() => undefined);
        if (told === undefined) return;
        assert.equal(told.status, 200);
        answered.push(told.headers['x-request-id']);
      }
    });
    const wanted = answered.length + 150;
    await until(() => answered.length > wanted, 'requests were answered');
    gateway.child.kill('SIGKILL');
    await gateway.exited;
    end.abort();
    await Promise.all(visitors);
  }
  assert.ok(!stored(env.PADDOCK_AUDIT_SPOOL_DIR).includes('ada@example.com'));
  const last = await startGatewayProcess(database.url, env);
  t.after(() => last.child.kill('SIGKILL'));
  await until(() => readdirSync(env.PADDOCK_AUDIT_SPOOL_DIR).length === 1, 'the spools of the others were taken in');
  const events = await eventsIn(database);
  for (const id of answered) recordsOf(events, id);
  assert.equal(new Set(events.map(({ id }) => id)).size, events.length, 'no record came twice');
});

test('while PostgreSQL is away nobody waits, and everything is handed in once it is back', async (t) => {
  const away = await startFixture({ database, limits: { databaseMs: 1_000 }, audit: { auditSpoolDir: spoolDir(t) } });
  await away.route('kept', agent);
  await database.stopServer();
  const began = performance.now();
  const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => away.fetch('kept', `/${n}`)));
  assert.ok(performance.now() - began < 60_000, '200 visitors who each wait for the database would take longer');
  assert.ok(answers.every(({ status }) => status === 200));
  await database.startServer();
  await until(async () => (await eventsIn(database).catch(() => [])).length >= 400, 'all records are handed in');
  const events = await eventsIn(database);
  for (const { headers } of answers) recordsOf(events, headers['x-request-id']);
  await away.close();
});

test('a gateway that leaves in good order hands in everything, and leaves no file behind', async (t) => {
  const folder = spoolDir(t);
  const leaving = await startFixture({ database, audit: { auditSpoolDir: folder } });
  await leaving.route('kept', agent);
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => leaving.fetch('kept', `/${n}`)));
  await leaving.close();
  const events = await eventsIn(database);
  for (const { headers } of answers) recordsOf(events, headers['x-request-id']);
  assert.deepEqual(readdirSync(folder), []);
});

test('as the spool fills, bodies are left out, then requests are refused, or served with the gap on record', async (t) => {
  const away = await startFixture({
    database,
    limits: { databaseMs: 2_000, auditShipMs: 50, auditSyncMs: 50 },
    audit: { auditSpoolDir: spoolDir(t), auditSpoolBytes: 300_000 },
  });
  t.after(() => away.close());
  await away.route('kept', agent);
  await protect(away, 'kept', { when_unrecorded: 'refuse' });
  await database.stopServer();
  const refused = await repeatedUntil(
    async () => away.fetch('kept', '/fill', post),
    ({ status }) => status !== 200,
  );
  assert.deepEqual([refused.status, refused.json().code, refused.headers['retry-after']], [503, 'audit_unavailable', '5']);
  await database.startServer();
  await until(async () => (await away.fetch('kept', '/again')).status === 200, 'it serves again');
  await until(
    async () => (await eventsIn(database).catch(() => [])).some(({ action }) => action === 'GET /again'),
    'records are handed in',
  );
  const bodies = (await eventsIn(database)).flatMap(({ input_data }) => (input_data as { left_out?: string } | null)?.left_out ?? []);
  assert.ok(bodies.includes('spool'), 'some were recorded without their bodies');
  assert.ok(!(await eventsIn(database)).some(({ action }) => action === 'audit.gap'));

  await protect(away, 'kept', { when_unrecorded: 'serve' });
  await database.stopServer();
  const asked = 600;
  for (let n = 0; n < asked; n += 50) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => away.fetch('kept', '/served')));
    assert.ok(answers.every(({ status }) => status === 200));
  }
  await database.startServer();
  const told = async () => (await eventsIn(database).catch(() => [])).find(({ action }) => action === 'audit.gap');
  await until(async () => (await told()) !== undefined, 'the gap is on record');
  const gap = (await told())!;
  const { requests, responses } = gap.input_data as { requests: number; responses: number };
  assert.deepEqual([gap.action_type, gap.status, gap.actor.type, gap.agent_id], ['error', 'warning', 'platform', 'prj_1']);
  const served = (await eventsIn(database)).filter(({ action, action_type }) => action === 'GET /served' && action_type === 'request');
  assert.deepEqual([served.length + requests, requests], [asked, responses]);
});

test('on a full disk agents answer on, every exchange is on record, and PostgreSQL is away as well', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-spools-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'paddock-spool', folder]);
  } catch {
    rmSync(folder, { recursive: true });
    return t.skip('this needs to be root');
  }
  const limits = { databaseMs: 1_000, auditSyncMs: 20 };
  const gateway = await startFixture({ database, limits, audit: { auditSpoolDir: folder, auditSpoolBytes: 256 * 1024 * 1024 } });
  t.after(async () => {
    await gateway.close();
    execFileSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true });
  });
  await gateway.route('kept', agent);
  await protect(gateway, 'kept', { when_unrecorded: 'refuse' });
  const spares = () => readdirSync(folder, { recursive: true }).filter((name) => String(name).includes('spare-'));
  await until(() => spares().length === 16, 'the space is held');
  await database.stopServer();
  const ids: unknown[] = [];
  for (let n = 0; n < 40; n++) {
    takeAll(folder);
    const answers = await Promise.all(Array.from({ length: 50 }, () => gateway.fetch('kept', '/full', post)));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    ids.push(...answers.map(({ headers }) => headers['x-request-id']));
  }
  t.diagnostic(`${ids.length} exchanges in ${16 - spares().length} of 16 spares`);
  await database.startServer();
  rmSync(join(folder, 'others'));
  await until(async () => (await eventsIn(database).catch(() => [])).length >= 2 * ids.length, 'all records are handed in');
  const events = await eventsIn(database);
  for (const id of ids) recordsOf(events, id);
  const leftOut = events.map(({ input_data }) => (input_data as { left_out?: string } | null)?.left_out);
  assert.ok(leftOut.includes('spool'), 'records without bodies say so');
  await until(async () => (await gateway.fetch('kept', '/again', post)).status === 200, 'it serves on');
});

/** Takes all free space, as another program would. */
function takeAll(folder: string) {
  try {
    for (;;) writeFileSync(join(folder, 'others'), Buffer.alloc(4 * 1024), { flag: 'a' });
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
  }
}

/** Repeats an action until its result is the wanted one, a few thousand times at most. */
async function repeatedUntil<T>(act: () => Promise<T>, isWanted: (result: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 3_000; tries++) {
    const result = await act();
    if (isWanted(result)) return result;
  }
  throw new Error('never came true');
}
