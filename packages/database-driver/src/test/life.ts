import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from './bench.ts';
import { fill, never } from './bench.ts';
import { connect } from './clients.ts';

/** Start, stop, crash, adoption, end. */
export function lifeTests(bench: () => Bench): void {
  test('a first start makes the database, a second one finds it running, and it says so', async (t) => {
    const { driver, type, spec, use, serverOf } = bench();
    const available = await driver.available(type);
    assert.ok(available.ok, JSON.stringify(available));
    const begun = performance.now();
    const address = await driver.start(spec('life'), never);
    t.diagnostic(`first start: ${Math.round(performance.now() - begun)} ms`);
    assert.equal(address.host, '127.0.0.1');
    assert.equal(address.version, available.version);
    const pid = serverOf('life');
    assert.ok(pid);
    assert.deepEqual(await driver.start(spec('life'), never), address);
    assert.equal(serverOf('life'), pid);
    assert.deepEqual(await driver.list(), [{ id: 'life', type, state: 'running' }]);
    await use('life', address, (client) => client.put('first', 'entry'));
  });

  test('what was written is there after a stop and a start, at the same address', async (t) => {
    const { driver, type, start, use, processesOf } = bench();
    const address = await start('life');
    const before = await use('life', address, (client) => fill(client, 20, 'kept'));
    await driver.stop('life');
    await driver.stop('life');
    assert.deepEqual(await driver.list(), [{ id: 'life', type, state: 'stopped' }]);
    assert.deepEqual(processesOf('life'), []);
    const begun = performance.now();
    assert.deepEqual(await start('life'), address);
    t.diagnostic(`later start: ${Math.round(performance.now() - begun)} ms`);
    assert.deepEqual(await use('life', address, (client) => client.read()), before);
  });

  test('after kill -9 of the server under write load every acknowledged entry is there', async (t) => {
    const { type, start, spec, use, serverOf } = bench();
    const address = await start('life');
    const acknowledged: string[] = [];
    const writers = await Promise.all([1, 2, 3, 4].map(() => connect(type, { port: address.port, password: spec('life').password })));
    const writing = writers.map(async (client, writer) => {
      for (let n = 0; n < 100_000; n++) {
        const key = `load-${writer}-${n}`;
        try {
          await client.put(key, key);
        } catch {
          return; // the server has exited, and this entry was not acknowledged
        }
        acknowledged.push(key);
      }
    });
    for (const deadline = Date.now() + 300_000; acknowledged.length < 500; await sleep(10)) assert.ok(Date.now() < deadline);
    const pid = serverOf('life');
    assert.ok(pid);
    process.kill(pid, 'SIGKILL');
    const killed = performance.now();
    await Promise.all(writing);
    await Promise.all(writers.map((client) => client.end()));
    assert.deepEqual(await start('life'), address);
    t.diagnostic(`${acknowledged.length} acknowledged; accepts connections ${Math.round(performance.now() - killed)} ms after kill -9`);
    const found = new Set((await use('life', address, (client) => client.read())).map(([key]) => key));
    assert.deepEqual(
      acknowledged.filter((key) => !found.has(key)),
      [],
    );
  });

  test('a server that ended by itself is told from one that was stopped, with what is known of its end', async () => {
    const { driver, type, start, serverOf } = bench();
    await start('life');
    process.kill(serverOf('life')!, 'SIGKILL');
    const observed = async () => (await driver.list()).find(({ id }) => id === 'life');
    for (const deadline = Date.now() + 300_000; (await observed())?.state === 'running'; await sleep(20)) assert.ok(Date.now() < deadline);
    const { reason, ...rest } = (await observed()) ?? {};
    assert.deepEqual(rest, { id: 'life', type, state: 'exited' });
    assert.match(reason ?? '', /^It was ended by SIGKILL/);
    await driver.stop('life');
    assert.deepEqual(await observed(), { id: 'life', type, state: 'stopped' });
    await start('life');
  });

  test('the server outlives kill -9 of the platform and is adopted', async () => {
    const { driver, elsewhere, spec, start, serverOf, use } = bench();
    await driver.stop('life');
    const platform = await elsewhere(`await driver.start(${JSON.stringify(spec('life'))}, never); console.log('runs');`);
    const pid = serverOf('life');
    assert.ok(pid);
    platform.kill('SIGKILL');
    await once(platform, 'exit');
    assert.equal((await driver.list()).find(({ id }) => id === 'life')?.state, 'running');
    const address = await start('life');
    assert.equal(serverOf('life'), pid);
    await use('life', address, (client) => client.put('after', 'adoption'));
  });

  test('when another program has taken the port, the database moves to another and stays there', async () => {
    const { driver, start, use } = bench();
    const before = await start('life');
    await driver.stop('life');
    const squatter = createServer().listen(before.port, '127.0.0.1');
    await once(squatter, 'listening');
    try {
      const moved = await start('life');
      assert.notEqual(moved.port, before.port);
      await use('life', moved, (client) => client.put('moved', 'on'));
      await driver.stop('life');
      assert.deepEqual(await start('life'), moved);
    } finally {
      squatter.close();
    }
  });

  test('databases that start at the same time get addresses of their own', async () => {
    const { driver, start } = bench();
    const [one, other] = await Promise.all([start('twin-1'), start('twin-2')]);
    assert.notEqual(one.port, other.port);
    await Promise.all([driver.remove('twin-1'), driver.remove('twin-2')]);
  });

  test('a start that was cut off while the storage was made is made good', async () => {
    const { driver, start, elsewhere, spec, storeOf, use } = bench();
    const child = await elsewhere(`
      const early = new AbortController();
      driver.start(${JSON.stringify(spec('cut'))}, early.signal).catch(() => undefined);
      const { existsSync } = await import('node:fs');
      while (!existsSync(${JSON.stringify(join(storeOf('cut'), 'draft'))}) && !existsSync(${JSON.stringify(join(storeOf('cut'), 'data'))})) await new Promise((done) => setTimeout(done, 2));
      console.log('half made');`);
    child.kill('SIGKILL');
    await driver.stop('cut');
    const address = await start('cut');
    await use('cut', address, (client) => client.put('whole', 'again'));
  });

  test('a start that is called off says so, and the next one succeeds', async () => {
    const { driver, start, spec, storeOf, use } = bench();
    await calledOff((signal) => driver.start(spec('called-off'), signal), storeOf('called-off'));
    await use('called-off', await start('called-off'), (client) => client.put('made', 'after all'));
    await driver.remove('called-off');
  });

  test('storage that was complete once and has gone is not replaced by an empty one', async () => {
    const { driver, start, storeOf, use } = bench();
    await driver.stop('cut');
    await rename(join(storeOf('cut'), 'data'), join(storeOf('cut'), 'elsewhere'));
    await assert.rejects(start('cut'), /data of the database cut is missing/);
    await rename(join(storeOf('cut'), 'elsewhere'), join(storeOf('cut'), 'data'));
    assert.deepEqual(await use('cut', await start('cut'), (client) => client.read()), [['whole', 'again']]);
  });

  test('a database that another user of the machine had made opens all the same', {
    skip: process.getuid?.() !== 0 && 'only root may',
  }, async () => {
    const { driver, start, storeOf, use } = bench();
    const before = await use('cut', await start('cut'), (client) => client.read());
    await driver.stop('cut');
    execFileSync('chown', ['-R', '65534:65534', join(storeOf('cut'), '..')], { timeout: 10_000 });
    assert.deepEqual(await use('cut', await start('cut'), (client) => client.read()), before);
  });

  test('a removed database leaves no process and no folder, be it running, half made or unknown', async () => {
    const { driver, dataDir, processesOf, start, spec, storeOf } = bench();
    await start('cut');
    await driver.remove('cut');
    assert.deepEqual(processesOf('cut'), []);
    assert.equal(existsSync(join(dataDir, 'databases', 'cut')), false);
    assert.equal(existsSync(join(dataDir, 'database-servers', 'services', 'cut')), false);

    await calledOff((signal) => driver.start(spec('half'), signal), storeOf('half'));
    await driver.remove('half');
    assert.equal(existsSync(storeOf('half')), false);
    await driver.remove('unknown');
    await driver.stop('unknown');
    assert.deepEqual(
      (await driver.list()).map(({ id }) => id),
      ['life'],
    );
  });

  test('tidying frees output and harms nothing', async () => {
    const { driver, start, use } = bench();
    const address = await start('life');
    await driver.tidy();
    await use('life', address, (client) => client.put('tidied', 'up'));
  });
}

/** Calls a start off as soon as the database has a folder, which is before its server runs, however fast the machine is. */
async function calledOff(start: (signal: AbortSignal) => Promise<unknown>, store: string): Promise<void> {
  const early = new AbortController();
  const refused = assert.rejects(start(early.signal), { name: 'AbortError' });
  for (const deadline = Date.now() + 300_000; !existsSync(store); await sleep(1)) assert.ok(Date.now() < deadline);
  early.abort();
  await refused;
}
