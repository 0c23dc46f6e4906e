import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { RuntimeDriver } from '../../driver.ts';
import { serviceRunner, stepRunner } from '../../index.ts';
import { exited, LIMITS, testApp, until } from '../../test/agents.ts';
import { createDriver, log } from '../../test/sandboxed.ts';
import { sandboxFolder } from '../records/records.ts';

const never = new AbortController().signal;
/** After a power cut the name of a note may be on disk without its content. */
const BLANK = `${' '.repeat(1023)}\n`;

suite('after a power cut', () => {
  let root: string;
  let dataDir: string;
  let driver: RuntimeDriver;
  let spec: Awaited<ReturnType<typeof testApp>>;

  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'paddock-power-cut-'));
    dataDir = join(root, 'data');
    spec = await testApp(root);
    driver = createDriver(dataDir);
  });
  after(async () => {
    for (const { id } of await driver.list()) {
      await driver.stop(id, 0);
      await driver.remove(id);
    }
    await driver.close();
    rmSync(root, { recursive: true, force: true });
  });

  const folderOf = (id: string, kind = 'instances') => sandboxFolder(join(dataDir, kind), id);

  /** Writes an instance or service from before the cut, with the given notes. */
  function left(id: string, notes: Partial<Record<'record' | 'status' | 'exit', string>>, kind?: string): void {
    const folder = folderOf(id, kind);
    mkdirSync(folder.path, { recursive: true });
    const record = { id, deployment_id: 'd', generation: 1, mode: 'user', boot: 'another', started_at: '2020-01-01T00:00:00.000Z' };
    writeFileSync(folder.record, JSON.stringify({ ...record, starter: { pid: 1, start: 1 }, limits: LIMITS }));
    for (const name of ['record', 'status', 'exit'] as const) if (notes[name] !== undefined) writeFileSync(folder[name], notes[name]);
  }

  test('instances whose record is blank hide no other one, and keep no limit from being held', async () => {
    for (const [id, record] of Object.entries({ a1: BLANK, b2: '', c3: BLANK, y4: '{"id":', z5: '\0'.repeat(300) })) left(id, { record });
    const good = spec(['serve']);
    await driver.start(good, never);
    assert.deepEqual(
      (await driver.list()).map(({ id, state }) => [id, state]),
      [[good.id, 'running']],
    );
    await driver.stop(good.id, 0);
    const greedy = spec(['fill'], { limits: { ...LIMITS, disk_mb: 20 } });
    await driver.start(greedy, never);
    assert.equal((await exited(driver, greedy.id, 15_000)).disk_full, true);
    for (const id of ['a1', 'b2', 'c3', 'y4', 'z5']) await driver.remove(id);
  });

  test('what has no record, since its starter was killed before it wrote one or the power failed, is removed by the next start', async () => {
    left('blank', { record: BLANK });
    left('blank-service', { record: BLANK }, 'services');
    for (const [id, kind] of [['bare', 'instances'] as const, ['bare-service', 'services'] as const, ['bare-step', 'steps'] as const])
      mkdirSync(join(folderOf(id, kind).path, 'app'), { recursive: true });
    left('kept', { status: '7\n' });
    const anHourAgo = Date.now() / 1000 - 3600;
    utimesSync(folderOf('bare-step', 'steps').path, anHourAgo, anHourAgo);
    const next = createDriver(dataDir);
    const services = serviceRunner({ dataDir, installation: 'test', log });
    stepRunner({ dataDir, installation: 'test', log });
    await next.close();
    await services.close();
    const there = (id: string, kind?: string) => existsSync(folderOf(id, kind).path);
    await until('the step is gone', () => !there('bare-step', 'steps') || undefined);
    assert.deepEqual(
      [there('blank'), there('bare'), there('blank-service', 'services'), there('bare-service', 'services')],
      [false, false, false, false],
    );
    assert.equal(there('kept'), true);
    await driver.remove('kept');
  });

  test('an instance that cannot be observed hides no other, and is logged once', async () => {
    left('blocked', { record: '{}' });
    rmSync(folderOf('blocked').record);
    mkdirSync(folderOf('blocked').record); // reading it fails, for root as well
    left('seen', { status: '7\n' });
    const runner = createDriver(dataDir);
    const told: string[] = [];
    const { warn } = log;
    log.warn = (fields, message) => told.push(`${message} ${JSON.stringify(fields)}`);
    try {
      for (let turn = 0; turn < 3; turn++) assert.ok((await runner.list()).some(({ id }) => id === 'seen'));
    } finally {
      log.warn = warn;
    }
    assert.equal(told.filter((line) => line.includes('"blocked"') && line.includes('looked at')).length, 1, told.join('\n'));
    await runner.close();
    rmSync(folderOf('blocked').path, { recursive: true });
  });

  test('a blank exit status is not taken for exit code 0', async () => {
    left('crashed', { status: BLANK });
    const exit = await exited(driver, 'crashed');
    assert.deepEqual([exit.code, exit.signal], [null, null]);
  });

  test('a blank note of an end is written anew', async () => {
    left('ended', { status: '3\n', exit: BLANK });
    assert.equal((await exited(driver, 'ended')).code, 3);
    assert.equal((JSON.parse(readFileSync(folderOf('ended').exit, 'utf8')) as { code: number }).code, 3);
  });

  test('services whose record is blank hide no other one', async () => {
    for (const id of ['a', 'z']) left(id, { record: BLANK }, 'services');
    left('m', { status: '0\n' }, 'services');
    const runner = serviceRunner({ dataDir, installation: 'test', log });
    assert.deepEqual(
      (await runner.list()).map(({ id, state }) => [id, state]),
      [['m', 'exited']],
    );
    for (const id of ['a', 'm', 'z']) await runner.remove(id);
    await runner.close();
  });
});
