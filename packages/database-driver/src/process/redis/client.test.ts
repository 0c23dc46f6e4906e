import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, suite, test } from 'node:test';
import { Redis } from 'ioredis';
import { connectionString } from '../../driver.ts';
import { type Bench, never, openBench } from '../../test/bench.ts';
import { createDriver } from '../../test/process-driver.ts';

suite('an agent with ioredis as it comes and nothing but the connection string', () => {
  let bench: Bench;
  let redis: Redis;
  const warnings: unknown[] = [];
  before(async () => {
    bench = openBench({ type: 'redis', module: '', createDriver });
    const address = await bench.start('agent');
    redis = new Redis(connectionString('redis', address, bench.spec('agent').password));
    redis.on('error', () => undefined); // the pending commands report the error
    process.on('warning', (warning) => warnings.push(warning));
  });
  after(async () => {
    redis?.disconnect();
    await bench.close();
  });

  test('becomes ready, counts, and goes on counting by itself after kill -9 of the server and after a stop', async () => {
    if (redis.status !== 'ready') await once(redis, 'ready');
    for (let n = 1; n <= 20; n++) assert.equal(await redis.incr('counter'), n);

    process.kill(bench.serverOf('agent')!, 'SIGKILL');
    await once(redis, 'close');
    // Sent while no server runs, so the command waits in the client's queue.
    const waiting = redis.incr('counter');
    await bench.start('agent');
    assert.equal(await waiting, 21);

    await bench.driver.stop('agent');
    await bench.start('agent');
    assert.equal(await redis.incr('counter'), 22);
    assert.deepEqual(warnings, []);
  });

  test('runs transactions, scripts and pipelines, and blocks until something comes', async () => {
    assert.deepEqual(await redis.multi().set('a', '1').incr('a').exec(), [
      [null, 'OK'],
      [null, 2],
    ]);
    assert.equal(await redis.eval("return redis.call('INCRBY', KEYS[1], ARGV[1])", 1, 'a', 5), 7);
    assert.equal((await redis.pipeline().get('a').ttl('a').exec())?.length, 2);
    const waiter = redis.duplicate();
    const popped = waiter.blpop('jobs', 5);
    await redis.rpush('jobs', 'work');
    assert.deepEqual(await popped, ['jobs', 'work']);
    waiter.disconnect();
  });

  test('loses its connection with another password, and goes on with the new one alone', async () => {
    const changed = { ...bench.spec('agent'), password: 'made-up-rotated' };
    const address = await bench.driver.start(bench.spec('agent'), never);
    const closed = once(redis, 'close');
    await bench.driver.setPassword(changed, address);
    await closed;
    redis.disconnect();
    const late = new Redis(connectionString('redis', address, bench.spec('agent').password), { retryStrategy: null, lazyConnect: true });
    const refused = once(late, 'error') as Promise<[Error]>;
    await assert.rejects(late.connect());
    assert.match((await refused)[0].message, /WRONGPASS/);
    late.disconnect();
    const next = new Redis(connectionString('redis', address, changed.password));
    assert.equal(await next.get('a'), '7');
    next.disconnect();
  });
});
