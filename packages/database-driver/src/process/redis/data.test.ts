import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { DatabaseAddress, DatabaseSpec } from '../../driver.ts';
import { type Bench, never, openBench } from '../../test/bench.ts';
import { redisClient } from '../../test/clients.ts';
import { createDriver } from '../../test/process-driver.ts';
import { processDatabaseDriver } from '../driver.ts';

const MIB = 1024 * 1024;
const asRoot = process.getuid?.() === 0;

suite('what Redis keeps', () => {
  let bench: Bench;
  before(() => {
    bench = openBench({ type: 'redis', module: '', createDriver });
  });
  after(() => bench.close());

  async function open(spec: DatabaseSpec, address: DatabaseAddress): Promise<Redis> {
    const redis = redisClient(address.port, spec.password);
    await redis.connect();
    return redis;
  }
  interface Keys {
    name: string;
    count: number;
    /** The value, and options of SET. */
    value: [string, ...string[]];
  }

  /** Sets the keys, a hundred at a time. Returns how many were acknowledged before the first refusal. */
  async function put(redis: Redis, { name, count, value }: Keys): Promise<number> {
    for (let n = 0; n < count; n += 100) {
      const batch = redis.pipeline();
      for (let number = n; number < n + 100; number++) batch.call('SET', `${name}-${number}`, ...value);
      const refused = (await batch.exec())!.findIndex(([error]) => error);
      if (refused !== -1) return n + refused;
    }
    return count;
  }
  const incrementOf = (id: string): string => {
    const folder = join(bench.storeOf(id), 'data', 'appendonlydir');
    return join(folder, readdirSync(folder).find((name) => name.endsWith('.incr.aof'))!);
  };

  test('without room, keys that expire are dropped and the others stay; then writes are refused, and commands that make room are not', async () => {
    const { driver } = bench;
    const spec: DatabaseSpec = { ...bench.spec('small'), limits: { memory_mb: 40, cpus: 1, connections: 20 } };
    const address = await driver.start(spec, never);
    const redis = await open(spec, address);
    const value = 'x'.repeat(10_000);
    assert.equal(await put(redis, { name: 'lasting', count: 200, value: [value] }), 200);
    assert.equal(await put(redis, { name: 'passing', count: 2000, value: [value, 'EX', '3600'] }), 2000);
    const figures = await driver.measure(spec, address);
    assert.ok(figures.evictions! > 500, `${figures.evictions} evictions`);
    assert.ok(figures.size_bytes < 13 * MIB && figures.size_bytes > 11 * MIB, `${figures.size_bytes} bytes`);
    const names = Array.from({ length: 200 }, (_, n) => `lasting-${n}`);
    assert.equal(await redis.exists(...names), 200);

    const written = await put(redis, { name: 'lasting', count: 3000, value: [value] });
    await assert.rejects(redis.set('more', value), /OOM command not allowed when used memory > 'maxmemory'/);
    assert.ok(written > 1000, `${written} fitted`);
    assert.equal((await redis.keys('passing-*')).length, 0);
    assert.equal((await redis.keys('lasting-*')).length, written, 'none of those that were acknowledged is gone');
    assert.equal(await redis.get('lasting-7'), value);
    await assert.rejects(redis.incr('counter'), /OOM/);
    assert.equal(await redis.unlink(...names), 200);
    assert.equal(await redis.incr('counter'), 1);
    redis.disconnect();
    await driver.remove('small');
  });

  test('a backup keeps every type of value, all databases, and when keys expire', async () => {
    const { driver, spec, start, backupFile } = bench;
    let address = await start('types');
    let redis = await open(spec('types'), address);
    await redis.set('lasting', 'for ever');
    await redis.set('passing', 'an hour', 'EX', 3600);
    await redis.set('short', 'soon gone', 'PX', 1500);
    await redis.hset('hash', { a: '1', b: '2' });
    await redis.rpush('list', 'one', 'two');
    await redis.sadd('set', 'x');
    await redis.zadd('scores', 1.5, 'half');
    await redis.xadd('stream', '1-1', 'field', 'value');
    await redis.xgroup('CREATE', 'stream', 'readers', '0');
    await redis.set('binary', Buffer.from([0, 255, 13, 10]));
    await redis.call('FUNCTION', 'LOAD', "#!lua name=own\nredis.register_function('answer', function() return 42 end)");
    await redis.select(3);
    await redis.set('elsewhere', 'in 3');
    const expires = await redis.select(0).then(() => redis.call('PEXPIRETIME', 'passing'));
    const file = backupFile('types');
    const { sha256 } = await driver.backup(spec('types'), address, { file, signal: never });
    const backup = { file, sha256 };
    assert.deepEqual(readdirSync(join(bench.storeOf('types'), 'data')), ['appendonlydir'], 'the snapshot is not left behind');
    await redis.flushdb();
    redis.disconnect();
    await sleep(1500);

    address = await driver.restore(spec('types'), backup, never);
    for (const round of ['restored', 'started again']) {
      redis = await open(spec('types'), address);
      assert.equal(await redis.get('lasting'), 'for ever', round);
      assert.equal(await redis.call('PEXPIRETIME', 'passing'), expires);
      assert.equal(await redis.get('short'), null);
      assert.equal(await redis.ttl('lasting'), -1);
      assert.deepEqual(await redis.hgetall('hash'), { a: '1', b: '2' });
      assert.deepEqual(await redis.lrange('list', 0, -1), ['one', 'two']);
      assert.equal(await redis.zscore('scores', 'half'), '1.5');
      assert.deepEqual(await redis.xrange('stream', '-', '+'), [['1-1', ['field', 'value']]]);
      assert.equal(((await redis.xinfo('GROUPS', 'stream')) as unknown[]).length, 1);
      assert.deepEqual(await redis.getBuffer('binary'), Buffer.from([0, 255, 13, 10]));
      assert.equal(await redis.call('FCALL', 'answer', '0'), 42);
      await redis.select(3);
      assert.equal(await redis.get('elsewhere'), 'in 3');
      redis.disconnect();
      await driver.stop('types');
      address = await start('types');
    }
  });

  test('kill -9 under a load of large values loses nothing that was acknowledged', async () => {
    const { spec, start, serverOf } = bench;
    const address = await start('load');
    const value = 'x'.repeat(20_000);
    const acknowledged = [0, 0, 0, 0, 0, 0];
    const clients = await Promise.all(acknowledged.map(() => open(spec('load'), address)));
    const writing = clients.map(async (client, writer) => {
      for (let n = 1; n < 500; n++) {
        try {
          await client.set(`${writer}-${n}`, value);
        } catch {
          return; // the server has exited
        }
        acknowledged[writer] = n;
      }
    });
    await sleep(900);
    process.kill(serverOf('load')!, 'SIGKILL');
    await Promise.all(writing);
    for (const client of clients) client.disconnect();
    const redis = await open(spec('load'), await start('load'));
    const names = acknowledged.flatMap((count, writer) => Array.from({ length: count }, (_, n) => `${writer}-${n + 1}`));
    assert.ok(names.length > 60, `${names.length} acknowledged`);
    assert.equal(await redis.exists(...names), names.length);
    redis.disconnect();
  });

  test('a file whose end is cut off loses only the cut command', async () => {
    const { driver, spec, start } = bench;
    let redis = await open(spec('cut'), await start('cut'));
    for (let n = 0; n < 100; n++) await redis.set(`key-${n}`, 'value');
    redis.disconnect();
    await driver.stop('cut');
    const file = incrementOf('cut');
    truncateSync(file, statSync(file).size - 3);
    redis = await open(spec('cut'), await start('cut'));
    assert.equal(await redis.dbsize(), 99);
    assert.equal(await redis.get('key-98'), 'value');
    redis.disconnect();
  });

  test('a file that is damaged in the middle is reported, and stays as it is until a backup is put over it', async () => {
    const { driver, spec, start, backupFile } = bench;
    const backup = backupFile('cut');
    const { sha256 } = await driver.backup(spec('cut'), await start('cut'), { file: backup, signal: never });
    await driver.stop('cut');
    const file = incrementOf('cut');
    const content = readFileSync(file);
    content.fill('?', 50, 80);
    writeFileSync(file, content);
    // The message is shown on a card, which has room for a few lines.
    await assert.rejects(
      start('cut'),
      /^[A-Za-z]*Error: The database server ended while it was starting\. It last said: .{0,200}Bad file format reading/,
    );
    const ended = (await driver.list()).find(({ id }) => id === 'cut');
    assert.equal(ended?.state, 'exited');
    assert.match(ended?.reason ?? '', /Bad file format/);
    assert.deepEqual(readFileSync(file), content);
    const redis = await open(spec('cut'), await driver.restore(spec('cut'), { file: backup, sha256 }, never));
    assert.equal(await redis.dbsize(), 99);
    redis.disconnect();
  });

  test('what an interrupted snapshot left goes at the next start', async () => {
    const { driver, start } = bench;
    await driver.stop('load');
    const data = join(bench.storeOf('load'), 'data');
    for (const name of ['temp-17.rdb', 'temp-rewriteaof-18.aof', 'dump.rdb']) writeFileSync(join(data, name), 'left');
    await start('load');
    assert.deepEqual(readdirSync(data), ['appendonlydir']);
  });

  test('on a full disk the server ends rather than lose what it acknowledged, says why, and goes on once there is room', {
    skip: !asRoot && 'mounting takes root',
  }, async () => {
    const { driver, spec, start, storeOf } = bench;
    let address = await start('full');
    await driver.stop('full');
    const store = storeOf('full');
    const aside = `${store}.aside`;
    const { uid, gid, mode } = statSync(store);
    mkdirSync(aside);
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=4m,uid=${uid},gid=${gid},mode=${(mode & 0o777).toString(8)}`, 'paddock-test', aside]);
    execFileSync('cp', ['-a', join(store, 'data'), aside]);
    execFileSync('mount', ['--move', aside, store], { timeout: 5_000 });
    try {
      address = await start('full');
      let redis = await open(spec('full'), address);
      const value = 'x'.repeat(10_000);
      let written = 0;
      await assert.rejects(async () => {
        for (; written < 1000; written++) await redis.set(`key-${written}`, value);
      });
      redis.disconnect();
      assert.ok(written > 200, `${written} fitted`);
      let ended = (await driver.list()).find(({ id }) => id === 'full');
      for (let n = 0; n < 200 && ended?.state === 'running'; n++) {
        await sleep(20);
        ended = (await driver.list()).find(({ id }) => id === 'full');
      }
      assert.match(ended?.reason ?? '', /the disk is full/);
      execFileSync('mount', ['-o', 'remount,size=64m', store], { timeout: 5_000 });
      redis = await open(spec('full'), await start('full'));
      assert.equal(await redis.dbsize(), written);
      await redis.set('room', 'again');
      redis.disconnect();
      await driver.stop('full');
    } finally {
      await driver.stop('full');
      execFileSync('umount', [store], { timeout: 5_000 });
      rmSync(aside, { recursive: true });
    }
  });

  test('without a sandbox it serves, is backed up and restored the same way', async () => {
    const driver = processDatabaseDriver({
      dataDir: join(bench.dataDir, 'plain'),
      installation: 'test-plain',
      unsandboxed: true,
      path: process.env['PATH'] ?? '',
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    });
    const spec = bench.spec('plain');
    const file = bench.backupFile('plain');
    try {
      const address = await driver.start(spec, never);
      let redis = await open(spec, address);
      await redis.set('key', 'value');
      await assert.rejects(redis.call('CONFIG', 'SET', 'maxmemory', '1gb'), /NOPERM/);
      const { sha256 } = await driver.backup(spec, address, { file, signal: never });
      await redis.flushdb();
      redis.disconnect();
      redis = await open(spec, await driver.restore(spec, { file, sha256 }, never));
      assert.equal(await redis.get('key'), 'value');
      redis.disconnect();
    } finally {
      await driver.remove('plain');
      await driver.close();
    }
  });
});
