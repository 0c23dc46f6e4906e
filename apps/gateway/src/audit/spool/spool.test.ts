import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { connect } from '@paddock/database';
import { pino } from 'pino';
import { startDatabase, type TestDatabase } from '../../../test/database.ts';
import { createBatchShipper, type SpoolCursor } from './batch-shipper.ts';
import { adoptOrphans } from './orphan-spools.ts';
import { segmentsIn } from './segments.ts';
import { Spool } from './spool.ts';
import { type Batch, spoolStore } from './spool-store.ts';

const log = pino({ level: 'silent' });
let database: TestDatabase;
let sql: ReturnType<typeof connect>;
before(async () => {
  database = await startDatabase();
  sql = connect(database.url, { max: 2, name: 'spool-test', statementMs: 5_000 });
});
after(async () => {
  await sql.end({ timeout: 1 });
  await database.close();
});

let spools = 0;
function makeSpool(t: TestContext, { maxBytes = 8 * 1024 * 1024, segmentBytes = 64 * 1024, root = '' } = {}) {
  const folder = root || mkdtempSync(join(tmpdir(), 'paddock-spool-'));
  if (root === '') t.after(() => rmSync(folder, { recursive: true, force: true }));
  spools += 1;
  const id = `spl_${process.pid}-${spools}`;
  const spool = new Spool({ folder: join(folder, id), maxBytes, segmentBytes, log });
  const cargo: SpoolCursor = { id, segments: spool.segments, handedIn: 0, offset: 0, drop: (segment) => spool.drop(segment) };
  return { root: folder, id, spool, cargo };
}

/** The same files, as another process reads them. */
function found(root: string, id: string): SpoolCursor {
  const segments = segmentsIn(join(root, id));
  const drop: SpoolCursor['drop'] = (segment) => {
    segments.splice(segments.indexOf(segment), 1);
    rmSync(segment.path, { force: true });
  };
  return { id, segments, handedIn: 0, offset: 0, drop };
}

const line = (n: number) => JSON.stringify({ n, text: `grüße ${'x'.repeat(n % 50)}` });
const shipping = (handIn: (batch: Batch) => Promise<number>, maxRecords = 10) =>
  createBatchShipper({ submit: handIn, maxRecords, maxBytes: 1024 * 1024, log });

async function shipAll(cargo: SpoolCursor, ship: (cargo: SpoolCursor) => Promise<number>) {
  while ((await ship(cargo)) > 0);
}

/** Numbers of this test's records that reached the intake. */
async function taken(): Promise<number[]> {
  const rows = await database.sql<{ number: string; events: Buffer }[]>`delete from audit_intake returning number, events`;
  const inOrder = rows.toSorted((one, other) => Number(one.number) - Number(other.number));
  return inOrder.flatMap(({ events }) =>
    inflateRawSync(events)
      .toString()
      .trimEnd()
      .split('\n')
      .map((one) => (JSON.parse(one) as { n: number }).n),
  );
}
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);
const ascending = (numbers: number[]) => numbers.toSorted((one, other) => one - other);

test('records are handed in once and in order, over several files, and what was handed in is removed', async (t) => {
  const { spool, cargo } = makeSpool(t, { segmentBytes: 2_000 });
  for (const n of upTo(200)) assert.ok(spool.write(line(n)));
  assert.ok(spool.segments.length > 5);
  await shipAll(cargo, shipping(spoolStore(sql, 5_000).handIn).ship);
  assert.deepEqual(await taken(), upTo(200));
  assert.equal(spool.segments.length, 1);
  assert.equal(readdirSync(spool.folder).filter((name) => name.endsWith('.records')).length, 1);
  spool.write(line(201));
  await shipAll(cargo, shipping(spoolStore(sql, 5_000).handIn).ship);
  assert.deepEqual(await taken(), [201]);
});

test('a batch that came through although its connection broke counts once', async (t) => {
  const { spool, cargo } = makeSpool(t);
  const store = spoolStore(sql, 5_000);
  let breaks = 3;
  const { ship } = shipping(async (batch) => {
    const at = await store.handIn(batch);
    breaks -= 1;
    if (breaks >= 0) throw new Error('the connection broke after the commit');
    return at;
  });
  for (const n of upTo(100)) spool.write(line(n));
  for (let tries = 0; tries < 20; tries++) await shipAll(cargo, ship).catch(() => undefined);
  assert.deepEqual(await taken(), upTo(100));
});

test('two processes that hand in the same spool at the same time hand in each record once', async (t) => {
  const { root, id, spool } = makeSpool(t, { segmentBytes: 3_000 });
  for (const n of upTo(300)) spool.write(line(n));
  const copy = mkdtempSync(join(tmpdir(), 'paddock-spool-'));
  t.after(() => rmSync(copy, { recursive: true, force: true }));
  cpSync(root, copy, { recursive: true });
  const { handIn } = spoolStore(sql, 5_000);
  await Promise.all([shipAll(found(root, id), shipping(handIn, 7).ship), shipAll(found(copy, id), shipping(handIn, 11).ship)]);
  assert.deepEqual(ascending(await taken()), upTo(300));
});

test('of a file whose end is torn or broken all whole records before it are handed in, and the files behind it', async (t) => {
  for (const damage of ['torn', 'broken', 'zeros'] as const) {
    const { root, id, spool } = makeSpool(t);
    for (const n of upTo(20)) spool.write(line(n));
    spool.close(false);
    const [segment] = segmentsIn(join(root, id));
    if (damage === 'torn') truncateSync(segment!.path, segment!.size - 3);
    if (damage === 'broken') writeFileSync(segment!.path, Buffer.alloc(4, 7), { flag: 'r+' }); // the first frame has another length
    if (damage === 'zeros') truncateSync(segment!.path, segment!.size + 4_096);
    await shipAll(found(root, id), shipping(spoolStore(sql, 5_000).handIn).ship);
    const expected = { torn: upTo(19), broken: [], zeros: upTo(20) }[damage];
    assert.deepEqual(await taken(), expected, damage);
    assert.deepEqual(segmentsIn(join(root, id)), []);
  }
});

test('a spool is taken over only from a process that has surely ended, by one process at a time', async (t) => {
  const { root, id, spool } = makeSpool(t);
  spool.write(line(1));
  const adopted = () => adoptOrphans(root, { held: new Set(), log }).map((one) => one.id);
  assert.deepEqual(adopted(), []); // this process is alive
  const child =
    'const fs=require("fs");fs.writeFileSync(process.argv[1],require("os").hostname()+" "+process.pid+" "+fs.readFileSync("/proc/self/stat","utf8").split(") ").at(-1).split(" ")[19])';
  execFileSync(process.execPath, ['-e', child, join(root, id, 'owner')]);
  assert.deepEqual(adopted(), [id]);
  assert.deepEqual(adopted(), []); // this process has adopted it already
  // The owner is on another machine, or in a recreated container: only its silence shows that it has ended.
  const elsewhere = join(root, 'spl_elsewhere');
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, 'owner'), 'another-machine 1 1');
  assert.deepEqual(adopted(), []);
  const long = new Date(Date.now() - 120_000);
  utimesSync(join(elsewhere, 'owner'), long, long);
  assert.deepEqual(adopted(), ['spl_elsewhere']);
});

test('as a spool fills it asks first for records without bodies, then for none, and takes records again once there is room', async (t) => {
  const { spool, cargo } = makeSpool(t, { maxBytes: 400_000, segmentBytes: 10_000 });
  const seen = new Set<string>();
  for (let n = 1; spool.room !== 'full'; n++) {
    seen.add(spool.room);
    spool.write(line(n));
  }
  assert.deepEqual([...seen], ['roomy', 'tight']);
  // An exchange that was admitted before is still written.
  assert.ok(spool.write(line(1)));
  await shipAll(cargo, shipping(spoolStore(sql, 5_000).handIn, 500).ship);
  assert.equal(spool.room, 'roomy');
  await taken();
  spool.promise(100);
  assert.equal(spool.room, 'full');
  spool.promise(-100);
});

/** A separate disk; undefined for an ordinary user, who may not mount one. */
function smallDisk(t: TestContext, size: string): string | undefined {
  const root = mkdtempSync(join(tmpdir(), 'paddock-spool-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'paddock-spool', root]);
  } catch {
    rmSync(root, { recursive: true });
    return undefined;
  }
  t.after(() => {
    execFileSync('umount', ['--lazy', root]);
    rmSync(root, { recursive: true });
  });
  return root;
}

/** Takes all free space. */
function takeAll(root: string) {
  try {
    for (;;) writeFileSync(join(root, 'others'), Buffer.alloc(4 * 1024), { flag: 'a' });
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
  }
}

test('on a full disk records without bodies are written to space that was held ahead, which nobody else can take', async (t) => {
  const root = smallDisk(t, '32m');
  if (root === undefined) return t.skip('this needs to be root');
  const { spool, id } = makeSpool(t, { root, maxBytes: 64 * 1024 * 1024 });
  for (let n = 0; n < 40; n++) spool.tick();
  takeAll(root);
  let written = 0;
  for (; spool.room !== 'full' && written < 100_000; written++) {
    assert.ok(spool.write(line(written + 1)), `record ${written + 1}`);
    takeAll(root);
    if (written % 1_000 === 0) spool.tick();
  }
  const bytes = segmentsIn(join(root, id)).reduce((sum, { size }) => sum + size, 0);
  assert.ok(bytes > 1.5 * 1024 * 1024, `${bytes} bytes of 2 MiB`);
  spool.close(false);
  await shipAll(found(root, id), shipping(spoolStore(sql, 5_000).handIn, 500).ship);
  assert.deepEqual(await taken(), upTo(written));
});

test('on a full disk the requests that are under way are still recorded, and the spool goes on once there is room', (t) => {
  const root = smallDisk(t, '2m');
  if (root === undefined) return t.skip('this needs to be root');
  const { spool } = makeSpool(t, { root, maxBytes: 64 * 1024 * 1024 });
  try {
    writeFileSync(join(root, 'others'), Buffer.alloc(4 * 1024 * 1024));
  } catch {
    // full
  }
  let written = 0;
  while (spool.room !== 'full' && written < 10_000) if (spool.write(line(written + 1))) written += 1;
  assert.equal(spool.room, 'full');
  for (let n = 0; n < 500; n++) assert.ok(spool.write(line(n)), `record ${n} of a request that was let in`);
  spool.tick();
  assert.equal(spool.room, 'full');
  rmSync(join(root, 'others'));
  spool.tick();
  assert.equal(spool.room, 'roomy');
  assert.ok(spool.write(line(1)));
});

test("each team's records of a batch are handed in apart, in their order, and the batch counts once", async (t) => {
  const { spool, cargo } = makeSpool(t);
  for (const n of upTo(9)) spool.write(JSON.stringify({ team_id: n % 3 === 0 ? 'tea_b' : 'tea_a', n }));
  await shipAll(cargo, shipping(spoolStore(sql, 5_000).handIn).ship);
  const rows = await database.sql<{ team_id: string; events: Buffer }[]>`select team_id, events from audit_intake order by number`;
  const numbersOf = (events: Buffer) =>
    inflateRawSync(events)
      .toString()
      .match(/"n":\d/g)
      ?.join(' ');
  assert.deepEqual(
    rows.map(({ team_id, events }) => [team_id, numbersOf(events)]),
    [
      ['tea_a', '"n":1 "n":2 "n":4 "n":5 "n":7 "n":8'],
      ['tea_b', '"n":3 "n":6 "n":9'],
    ],
  );
  assert.equal(cargo.handedIn, 9);
  assert.equal((await taken()).length, 9);
});
