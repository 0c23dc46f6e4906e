import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:net';
import { after, before, test } from 'node:test';
import { until } from '../../test/fixture.ts';
import { limits } from '../limits.ts';
import { type PoolWaiter, type UpstreamPools, upstreamPools } from './pool.ts';
import type { Upstream } from './upstream.ts';

let server: Server;
let present = 0;
before(async () => {
  server = createServer((socket) => {
    present += 1;
    socket.on('close', () => (present -= 1));
    socket.on('error', () => socket.destroy());
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
after(() => server.close());

function targetOf(port: number) {
  return { host: '127.0.0.1', port, key: `127.0.0.1:${port}` };
}
const target = () => targetOf((server.address() as { port: number }).port);

/** Records its calls. */
function listener(network = '203.0.113.1') {
  const told: string[] = [];
  const got: Upstream[] = [];
  const asker: PoolWaiter = {
    network,
    mayRepeat: true,
    opening: () => void told.push('opening'),
    connected: (upstream) => {
      told.push('connected');
      got.push(upstream);
    },
    notConnected: (kind) => void told.push(kind),
  };
  return { asker, told, got };
}

function want(pools: UpstreamPools, asker: PoolWaiter): void {
  const kept = pools.take(target(), asker);
  if (kept !== undefined) asker.connected(kept);
}

test('a visitor who gave up a connection for a WebSocket while it was made hears nothing more of it', async () => {
  const pools = upstreamPools(limits);
  const { asker, told } = listener();
  const upstream = pools.openAlone(target(), asker);
  pools.cancel(asker);
  await new Promise((resolve) => upstream.socket.once('close', resolve));
  assert.deepEqual(told, ['opening']);
  pools.close();
});

test('a WebSocket whose agent does not listen hears so once', async () => {
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
  const { port } = gone.address() as { port: number };
  await new Promise((resolve) => gone.close(resolve));
  const pools = upstreamPools(limits);
  const { asker, told } = listener();
  pools.openAlone(targetOf(port), asker);
  await until(() => told.length > 1, 'the asker hears');
  assert.deepEqual(told, ['opening', 'unreachable']);
  pools.close();
});

test('a visitor who gave up a connection while it was made, and wants another, hears of the other alone', async () => {
  const pools = upstreamPools(limits);
  const { asker, told, got } = listener();
  pools.take(target(), asker);
  pools.cancel(asker);
  pools.take(target(), asker);
  await until(() => got.length > 0, 'the second one is there');
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(told, ['opening', 'opening', 'connected']);
  pools.release(got[0]!, false);
  pools.close();
  await until(() => present === 0, 'no connection is left');
});

test('who waits for a connection to an instance that was replaced is told at once', async () => {
  const pools = upstreamPools({ ...limits, socketsPerTarget: 1 });
  const first = listener('203.0.113.1');
  const second = listener('203.0.113.2');
  pools.take(target(), first.asker);
  await until(() => first.got.length > 0, 'the first has the only connection');
  pools.take(target(), second.asker);
  assert.deepEqual(second.told, []);
  pools.retire(target().key);
  assert.deepEqual(second.told, ['unreachable']);
  pools.release(first.got[0]!, true);
  await until(() => present === 0, 'no connection is left');
  assert.deepEqual(second.told, ['unreachable']);
  pools.close();
});

test('a connection that is released goes to the one that waits, within the share of each visitor', async () => {
  const pools = upstreamPools({ ...limits, socketsPerTarget: 1, socketsPerVisitor: 1 });
  const first = listener('203.0.113.1');
  const greedy = listener('203.0.113.1');
  const second = listener('203.0.113.2');
  pools.take(target(), first.asker);
  await until(() => first.got.length > 0, 'the first has it');
  pools.take(target(), greedy.asker);
  pools.take(target(), second.asker);
  pools.release(first.got[0]!, true);
  assert.deepEqual([greedy.told, second.told], [['connected'], []]);
  pools.release(greedy.got[0]!, true);
  assert.equal(second.got[0], first.got[0]);
  pools.release(second.got[0]!, false);
  pools.close();
  await until(() => present === 0, 'no connection is left');
});

test('what was given up takes no room: the last connection can be had again', async () => {
  const pools = upstreamPools({ ...limits, socketsPerTarget: 2, socketsPerVisitor: 2 });
  for (let round = 0; round < 20; round++) {
    const one = listener();
    const other = listener();
    want(pools, one.asker);
    want(pools, other.asker);
    if (one.got.length > 0) pools.release(one.got[0]!, true);
    else pools.cancel(one.asker);
    await until(() => other.got.length > 0, 'the other is served');
    pools.release(other.got[0]!, round % 2 === 0);
  }
  const askers = [listener(), listener(), listener()];
  for (const { asker } of askers) want(pools, asker);
  await until(() => askers[0]!.got.length + askers[1]!.got.length === 2, 'two have one');
  assert.equal(askers[2]!.got.length, 0);
  for (const { got } of askers) for (const upstream of got) pools.release(upstream, false);
  await until(() => askers[2]!.got.length === 1, 'the third is served');
  pools.release(askers[2]!.got[0]!, false);
  pools.close();
  await until(() => present === 0, 'no connection is left');
});
