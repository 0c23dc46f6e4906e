import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { startDatabase, type TestDatabase } from '../../../test/database.ts';
import { type Agent, echo, startAgent, startFixture, until } from '../../../test/fixture.ts';
import { startGatewayProcess } from '../../../test/gateway-process.ts';
import { protect } from '../../../test/protection.ts';
import { needsRoot, smallDisk } from '../../../test/small-disk.ts';

let database: TestDatabase;
let agent: Agent;
before(async () => {
  database = await startDatabase();
  agent = await startAgent(echo());
});
beforeEach(() => database.sql`delete from audit_shortages`);
after(async () => {
  await database.close();
  await agent.close();
});

const post = { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } };
const limits = { databaseMs: 1_000, auditSyncMs: 20, auditShortageSettleMs: 12_000, auditShortageRenewMs: 50 };
/** Limits that keep records in the spool, as while the database is unavailable. */
const nothingHandedIn = { auditShipMs: 3_600_000, auditBatch: 1_000_000 };
const reports = () => database.sql<{ spool_id: string; cause: string; state: string; since: Date; seen_at: Date; team_ids: string[] }[]>`
  select *
  from audit_shortages`;

/** Captures log lines. */
function keptLog() {
  const lines: { level: number; msg: string }[] = [];
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) });
  return { log, count: (text: string) => lines.filter(({ msg }) => msg.includes(text)).length };
}

/** A gateway whose spool has a disk of its own, once the space of 64 MiB / 16 is reserved. */
async function onSmallDisk(t: TestContext, disk: NonNullable<ReturnType<typeof smallDisk>>) {
  const { log, count } = keptLog();
  const audit = { auditSpoolDir: disk.folder, auditSpoolBytes: 256 * 1024 * 1024 };
  const gateway = await startFixture({ database, limits, audit, log });
  t.after(async () => {
    await gateway.close();
    disk.unmount();
  });
  await gateway.route('kept', agent);
  await protect(gateway, 'kept', { when_unrecorded: 'refuse', bodies: 'redacted' });
  await until(() => spares(disk.folder) === 16, 'space is held');
  return { gateway, count };
}

const spares = (folder: string) => readdirSync(folder, { recursive: true }).filter((name) => String(name).includes('spare-')).length;

/** Sends requests until the claim is true. */
async function visitUntil(claim: () => boolean | Promise<boolean>, visit: () => Promise<unknown>) {
  for (let n = 0; n < 4_000; n++) {
    if (await claim()) return;
    await visit();
  }
  throw new Error('never came true');
}

test('a full disk is logged and reported to the server once an episode, with the teams that it concerns, and its end as well', async (t) => {
  const disk = smallDisk(64);
  if (disk === undefined) return needsRoot(t);
  const { gateway, count } = await onSmallDisk(t, disk);
  disk.takeAll();
  const visit = async () => {
    disk.takeAll();
    assert.equal((await gateway.fetch('kept', '/', post)).status, 200);
  };
  await visitUntil(async () => (await reports())[0]?.team_ids.includes('team_1') === true, visit);
  const [report] = await reports();
  assert.deepEqual([report?.cause, report?.state, report?.team_ids], ['disk', 'without_bodies', ['team_1']]);
  for (let n = 0; n < 5; n++) {
    const before = spares(disk.folder);
    disk.free();
    await until(() => spares(disk.folder) > before, 'space is held again');
    const held = spares(disk.folder);
    await visitUntil(() => spares(disk.folder) < held, visit);
  }
  await until(async () => (await reports())[0]!.seen_at > report!.seen_at, 'the report is renewed');
  assert.deepEqual(
    (await reports()).map(({ since }) => since),
    [report!.since],
  );
  assert.equal(count('disk of the audit spool is full'), 1);

  disk.free();
  await until(async () => (await reports()).length === 0, 'the end is reported');
  assert.equal(count('audit spool has room again'), 1);
  disk.takeAll();
  await visitUntil(async () => (await reports()).length === 1, visit);
  assert.equal(count('disk of the audit spool is full'), 2);
});

test('a shortage whose report the database does not take is reported once it does, and space that is used up is reported as such', async (t) => {
  const disk = smallDisk(8);
  if (disk === undefined) return needsRoot(t);
  const { log, count } = keptLog();
  const audit = { auditSpoolDir: disk.folder, auditSpoolBytes: 256 * 1024 * 1024 };
  const gateway = await startFixture({ database, limits: { ...limits, ...nothingHandedIn, auditShortageSettleMs: 60_000 }, audit, log });
  t.after(async () => {
    await gateway.close();
    disk.unmount();
  });
  await gateway.route('kept', agent);
  await protect(gateway, 'kept', { when_unrecorded: 'refuse', bodies: 'none' });
  await until(() => spares(disk.folder) > 0, 'space is held');
  await database.sql`alter table audit_shortages rename to out_of_reach`;
  disk.takeAll();
  const statuses = new Set<number>();
  await visitUntil(
    () => statuses.has(503),
    async () => {
      disk.takeAll();
      statuses.add((await gateway.fetch('kept', '/', post)).status);
    },
  );
  assert.equal(count('audit spool has no room left'), 1);
  await until(() => count('reporting the audit spool shortage to the server failed') === 1, 'the failed report is logged');
  await database.sql`alter table out_of_reach rename to audit_shortages`;
  await until(async () => (await reports())[0]?.team_ids.length === 1, 'it is reported');
  // The project keeps no bodies, so only missing records affect it.
  assert.deepEqual(
    (await reports()).map(({ cause, state, team_ids }) => [cause, state, team_ids]),
    [['disk', 'unrecorded', ['team_1']]],
  );
  assert.equal(count('reporting the audit spool shortage to the server failed'), 1);
});

test('a team whose project keeps no bodies is not concerned by records without bodies', async (t) => {
  const disk = smallDisk(64);
  if (disk === undefined) return needsRoot(t);
  const { gateway } = await onSmallDisk(t, disk);
  await protect(gateway, 'kept', { when_unrecorded: 'refuse', bodies: 'none' });
  disk.takeAll();
  await visitUntil(
    async () => (await reports()).length === 1,
    async () => {
      disk.takeAll();
      await gateway.fetch('kept', '/', post);
    },
  );
  assert.deepEqual(
    (await reports()).map(({ cause, team_ids }) => [cause, team_ids]),
    [['disk', []]],
  );
});

test('a spool that fills because nothing is handed in is reported as such', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-spools-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const { log, count } = keptLog();
  const audit = { auditSpoolDir: folder, auditSpoolBytes: 300_000 };
  const gateway = await startFixture({ database, limits: { ...limits, ...nothingHandedIn }, audit, log });
  t.after(() => gateway.close());
  await gateway.route('kept', agent);
  await protect(gateway, 'kept', { when_unrecorded: 'refuse', bodies: 'redacted' });
  // Space that a request in progress holds may be free for the next one: the team is reported once a request is accepted without room.
  await visitUntil(
    async () => (await reports())[0]?.team_ids.length === 1,
    async () => assert.equal((await gateway.fetch('kept', '/', post)).status, 200),
  );
  assert.equal(count('audit spool is more than half full'), 1);
  assert.deepEqual(
    (await reports()).map(({ cause, state, team_ids }) => [cause, state, team_ids]),
    [['backlog', 'without_bodies', ['team_1']]],
  );
});

test('the shortage of a gateway that was killed ends when another has handed in its records', async (t) => {
  const disk = smallDisk(64);
  if (disk === undefined) return needsRoot(t);
  t.after(() => disk.unmount());
  const env = { PADDOCK_AUDIT_SPOOL_DIR: disk.folder };
  const killed = await startGatewayProcess(database.url, env);
  t.after(() => killed.child.kill('SIGKILL'));
  const [spool_id] = readdirSync(disk.folder).filter((name) => name.startsWith('spl_'));
  await database.sql`
    insert into audit_shortages (spool_id, cause, state, since, team_ids)
    values (${spool_id!}, 'disk', 'without_bodies', now(), '{team_1}')`;
  killed.child.kill('SIGKILL');
  await killed.exited;
  const next = await startGatewayProcess(database.url, env);
  t.after(() => next.child.kill('SIGKILL'));
  await until(async () => (await reports()).length === 0, 'the shortage is over');
});
