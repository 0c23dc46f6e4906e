import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Bench, fill } from './bench.ts';
import { connect, redisClient, sqlClient } from './clients.ts';

/** Access to a database, and secrets that must not appear anywhere. */
export function accessTests(bench: () => Bench): void {
  test('a wrong password, none at all and unknown users are refused', async () => {
    const { type, start, spec } = bench();
    const { port } = await start('access');
    await assert.rejects(connect(type, { port, password: 'guess' }));
    await assert.rejects(connect(type, { port, password: undefined }));
    await assert.rejects(connect(type, { port, password: '' }));
    for (const user of ['paddock_admin', 'postgres', 'default', 'root', 'nobody']) {
      await assert.rejects(connect(type, { port, password: spec('access').password, user }), `as ${user}`);
      await assert.rejects(connect(type, { port, password: undefined, user }), `as ${user} without a password`);
    }
    await (await connect(type, { port, password: spec('access').password })).end();
  });

  test('another password holds from now on, and ends the connections that the one before opened', async () => {
    const { driver, type, start, spec } = bench();
    const address = await start('access');
    const open = await connect(type, { port: address.port, password: spec('access').password });
    await open.put('was', 'connected');
    const changed = { ...spec('access'), password: 'made-up-other' };
    await driver.setPassword(changed, address);
    await assert.rejects(open.put('still', 'connected'));
    await assert.rejects(connect(type, { port: address.port, password: spec('access').password }));
    const newcomer = await connect(type, { port: address.port, password: changed.password });
    assert.deepEqual(await newcomer.read(), [['was', 'connected']]);
    await Promise.all([open.end(), newcomer.end()]);
    await driver.setPassword(spec('access'), address);
    await assert.rejects(connect(type, { port: address.port, password: changed.password }));
  });

  test('a new password holds over a restart, and one that changed meanwhile is set at the start', async () => {
    const { driver, type, start, spec, use } = bench();
    const address = await start('access');
    await driver.setPassword({ ...spec('access'), password: 'made-up-third' }, address);
    await driver.stop('access');
    await start('access');
    await assert.rejects(connect(type, { port: address.port, password: 'made-up-third' }));
    await use('access', address, (client) => client.read());
  });

  test('where connections are refused, open ones end and no new ones begin, until they are allowed again', async () => {
    const { driver, type, start, spec, use } = bench();
    const address = await start('access');
    const open = await connect(type, { port: address.port, password: spec('access').password });
    await driver.setWriting(spec('access'), address, 'refused');
    await assert.rejects(open.put('too', 'late'));
    await open.end();
    await assert.rejects(connect(type, { port: address.port, password: spec('access').password }));
    assert.ok((await driver.measure(spec('access'), address)).size_bytes >= 0, 'the platform still gets in');
    await driver.setWriting(spec('access'), address, 'allowed');
    await use('access', address, (client) => client.put('in', 'again'));
  });

  test('figures tell size, memory, connections and what happened since the start', async () => {
    const { driver, type, start, spec, use } = bench();
    const begun = Date.now();
    await use('access', await start('access'), (client) => fill(client, 600, 'before'));
    await driver.stop('access');
    const address = await start('access');
    const client = await connect(type, { port: address.port, password: spec('access').password });
    const before = await driver.measure(spec('access'), address);
    await fill(client, 50, 'measured');
    // PostgreSQL's sessions report their counters once a second, or when they end.
    await client.end();
    const open = await connect(type, { port: address.port, password: spec('access').password });
    const later = await driver.measure(spec('access'), address);
    await open.end();
    assert.ok(later.transactions >= before.transactions + 50, `${later.transactions} after ${before.transactions}`);
    assert.ok(before.transactions < 300, `it began at 0 with the start, and is ${before.transactions}`);
    assert.equal(later.connections, 1);
    assert.ok(later.memory_bytes > 1_000_000 && later.memory_bytes < 256 * 1024 * 1024, `${later.memory_bytes} bytes of memory`);
    assert.ok(later.size_bytes > 0);
    assert.ok(later.started_ms >= begun - 1000 && later.started_ms <= Date.now() + 1000);
    assert.equal(later.keys === null, type === 'postgresql');
  });

  test('an address at which nothing answers cannot be measured', async () => {
    const { driver, start, spec } = bench();
    const address = await start('access');
    await driver.stop('access');
    await assert.rejects(driver.measure(spec('access'), address));
  });

  test('no secret is in a file, an argument list or an output, and nobody else may look', async () => {
    const { dataDir, driver, type, start, spec, processesOf } = bench();
    const { port } = await start('access');
    const own = 'made-up-secret-in-a-statement';
    await misuse(type, { port, password: spec('access').password, secret: own });
    const secrets = [spec('access').password, spec('access').admin_password, own];
    for (const { pid } of processesOf('access')) {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      for (const secret of secrets) assert.equal(words.includes(secret), false, words);
    }
    await driver.stop('access'); // stopped so that all of its output is written
    const [rooms, services] = [join(dataDir, 'databases', 'access'), join(dataDir, 'database-servers', 'services', 'access')];
    for (const folder of [rooms, services]) assert.equal(statSync(folder).mode & 0o077, 0, folder);
    for (const folder of [join(rooms, 'settings'), services]) {
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue;
        const text = readFileSync(join(entry.parentPath, entry.name), 'latin1');
        for (const secret of secrets) assert.equal(text.includes(secret), false, `${entry.parentPath}/${entry.name}`);
      }
    }
    for (const entry of readdirSync(join(rooms, 'store'), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const text = readFileSync(path, 'latin1');
      for (const secret of secrets.slice(0, 2)) assert.equal(text.includes(secret), false, path);
    }
  });
}

/** Sends statements and a login with a secret, all of which fail. */
async function misuse(type: Bench['type'], { port, password, secret }: { port: number; password: string; secret: string }): Promise<void> {
  await assert.rejects(connect(type, { port, password: secret }));
  if (type === 'redis') {
    const redis = redisClient(port, password);
    await redis.connect();
    await assert.rejects(redis.call('CONFIG', 'SET', 'requirepass', secret));
    await assert.rejects(redis.call('EVAL', `error("${secret}")`, '0'));
    redis.disconnect();
    return;
  }
  const sql = sqlClient(port, password);
  await assert.rejects(sql.unsafe(`SELECT '${secret}' FROM nowhere`));
  await assert.rejects(sql`SELECT ${secret}::int`);
  await assert.rejects(sql.unsafe(`CREATE ROLE other PASSWORD '${secret}'`));
  await sql.unsafe(`SET debug_print_parse = on; SET client_min_messages = debug5; SELECT '${secret}'`);
  await sql.end({ timeout: 1 });
}
