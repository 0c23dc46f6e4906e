import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { until } from '../../test/fixture.ts';
import { type Limits, limits } from '../limits.ts';
import type { Target } from '../routes/route.ts';
import { type FailureKind, type UpstreamPools, upstreamPools } from './pool.ts';
import type { Upstream } from './upstream.ts';

const server = createServer({ allowHalfOpen: false });
const accepted = new Set<Socket>();
let target: Target;
const open: UpstreamPools[] = [];
before(async () => {
  server.on('connection', (socket) => {
    accepted.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => accepted.delete(socket));
    socket.resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  target = { host: '127.0.0.1', port, key: `127.0.0.1:${port}` };
});
after(() => {
  for (const pools of open) pools.close();
  for (const socket of accepted) socket.destroy();
  server.close();
});

function poolsWith(given: Partial<Limits> = {}): UpstreamPools {
  const pools = upstreamPools({ ...limits, ...given });
  open.push(pools);
  return pools;
}

/** Requests a connection like an exchange does, and keeps the outcome. */
function ask(pools: UpstreamPools, { network = 'one', mayRepeat = true, to = target } = {}) {
  const asked = {
    network,
    mayRepeat,
    got: undefined as Upstream | undefined,
    failures: [] as FailureKind[],
    openings: 0,
    opening: () => void (asked.openings += 1),
    connected: (upstream: Upstream) => void (asked.got = upstream),
    notConnected: (kind: FailureKind) => void asked.failures.push(kind),
  };
  asked.got = pools.take(to, asked);
  return asked;
}

async function connected(pools: UpstreamPools, options?: Parameters<typeof ask>[1]) {
  const asked = ask(pools, options);
  await until(() => asked.got !== undefined, 'a connection is there');
  return { ...asked, got: asked.got! };
}

/** Written by hand: a failed comparison of sockets prints for minutes. */
function isOne(actual: Upstream | undefined, expected: Upstream | undefined): void {
  assert.ok(actual === expected, actual === undefined ? 'there is no connection' : 'it is another connection');
}

test('a connection that was given back serves the next request, the last one first', async () => {
  const pools = poolsWith();
  const [a, b] = [await connected(pools), await connected(pools)];
  assert.equal(a.got.isReused, false);
  pools.release(a.got, true);
  pools.release(b.got, true);
  isOne(ask(pools).got, b.got);
  isOne(ask(pools).got, a.got);
  assert.equal(a.got.isReused, true);
});

test('a connection that cannot be used again is closed and given to nobody', async () => {
  const pools = poolsWith();
  const { got } = await connected(pools);
  pools.release(got, false);
  assert.equal(got.socket.destroyed, true);
  assert.ok((await connected(pools)).got !== got);
});

test('a request that must not be sent twice gets no connection that the agent may just be closing', async () => {
  const pools = poolsWith({ upstreamFreshMs: -1 });
  const { got } = await connected(pools);
  pools.release(got, true);
  isOne(ask(pools, { mayRepeat: false }).got, undefined);
  isOne(ask(pools, { mayRepeat: true }).got, got);
});

test('a network has its share of the connections and no more, and another network gets one all the same', async () => {
  const pools = poolsWith({ socketsPerVisitor: 2 });
  const mine = [await connected(pools), await connected(pools)];
  const waiting = ask(pools);
  isOne(waiting.got, undefined);
  assert.equal(waiting.openings, 0);
  await connected(pools, { network: 'two' });
  isOne(waiting.got, undefined);
  pools.release(mine[0]!.got, true);
  isOne(waiting.got, mine[0]!.got);
});

test('a share is given back with each connection, whether it is kept, closed or cut off by the agent', async () => {
  const pools = poolsWith({ socketsPerVisitor: 1 });
  for (let round = 0; round < 3; round++) {
    const kept = await connected(pools);
    pools.release(kept.got, true);
    const closed = await connected(pools);
    pools.release(closed.got, false);
    await once(closed.got.socket, 'close');
    const cut = await connected(pools);
    cut.got.close();
    await once(cut.got.socket, 'close');
  }
  await connected(pools);
});

test('who waits gets the next connection in turn, and who holds its share is passed over', async () => {
  const pools = poolsWith({ socketsPerTarget: 2, socketsPerVisitor: 1 });
  const one = await connected(pools, { network: 'one' });
  const two = await connected(pools, { network: 'two' });
  const again = ask(pools, { network: 'one' });
  const third = ask(pools, { network: 'three' });
  const fourth = ask(pools, { network: 'four' });
  pools.release(two.got, true);
  isOne(again.got, undefined);
  isOne(third.got, two.got);
  isOne(fourth.got, undefined);
  pools.release(one.got, true);
  isOne(again.got, one.got);
});

test('a connection that ends makes room for who waits', async () => {
  const pools = poolsWith({ socketsPerTarget: 1 });
  const first = await connected(pools);
  const next = ask(pools, { network: 'two' });
  first.got.close();
  await until(() => next.got !== undefined, 'the next one is served');
  assert.ok(next.got !== first.got);
});

test('a kept connection makes way for a request that must not use it', async () => {
  const pools = poolsWith({ socketsPerTarget: 1, upstreamFreshMs: -1 });
  const first = await connected(pools);
  pools.release(first.got, true);
  const next = await connected(pools, { mayRepeat: false });
  assert.ok(next.got !== first.got);
  assert.equal(first.got.socket.destroyed, true);
});

test('so many wait and no more; the others hear at once that all are busy', async () => {
  const pools = poolsWith({ socketsPerTarget: 1, waitingPerTarget: 1 });
  await connected(pools);
  const waiting = ask(pools);
  const refused = ask(pools);
  assert.deepEqual([waiting.failures, refused.failures], [[], ['busy']]);
});

test('who has left gets no connection, and the next in line does', async () => {
  const pools = poolsWith({ socketsPerTarget: 1 });
  const first = await connected(pools);
  const left = ask(pools);
  const stays = ask(pools);
  pools.cancel(left);
  pools.release(first.got, true);
  isOne(left.got, undefined);
  isOne(stays.got, first.got);
});

test('a try that was given up while it connected does not end the next try of the same request', async () => {
  const pools = poolsWith();
  // From here on the loop closes sockets before it reports new connections.
  await new Promise((resolve) => setImmediate(resolve));
  const asked = ask(pools);
  pools.cancel(asked);
  assert.equal(pools.take(target, asked), undefined);
  await until(() => asked.got !== undefined, 'the second try has its connection');
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(asked.failures, []);
});

test('where nobody listens a request hears it, and so does each that waits', async () => {
  const gone = createServer();
  gone.listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const { port } = gone.address() as { port: number };
  await new Promise((resolve) => gone.close(resolve));
  const to = { host: '127.0.0.1', port, key: `127.0.0.1:${port}` };
  const pools = poolsWith({ socketsPerTarget: 1 });
  const asked = [ask(pools, { to }), ask(pools, { to })];
  await until(() => asked.every(({ failures }) => failures.length > 0), 'both hear it');
  assert.deepEqual(
    asked.map(({ failures }) => failures),
    [['unreachable'], ['unreachable']],
  );
});

test('when no route leads to an instance any more, kept connections close and those at work when they are given back', async () => {
  const pools = poolsWith();
  const [kept, atWork] = [await connected(pools), await connected(pools)];
  pools.release(kept.got, true);
  pools.retire(target.key);
  assert.deepEqual([kept.got.socket.destroyed, atWork.got.socket.destroyed], [true, false]);
  pools.release(atWork.got, true);
  assert.equal(atWork.got.socket.destroyed, true);
});

test('who waits while the route moves hears at once to ask elsewhere', async () => {
  const pools = poolsWith({ socketsPerTarget: 1 });
  await connected(pools);
  const waiting = ask(pools);
  pools.retire(target.key);
  assert.deepEqual(waiting.failures, ['unreachable']);
});

test('a connection for a WebSocket is shared with nobody, and one that is given up says nothing more', async () => {
  const pools = poolsWith({ socketsPerVisitor: 1 });
  const asker = { ...ask(pools), got: undefined as Upstream | undefined, failures: [] as FailureKind[] };
  asker.connected = (upstream) => void (asker.got = upstream);
  asker.notConnected = (kind) => void asker.failures.push(kind);
  const givenUp = pools.openAlone(target, asker);
  pools.cancel(asker);
  await once(givenUp.socket, 'close');
  const upstream = pools.openAlone(target, asker);
  await until(() => asker.got !== undefined, 'the second one is there');
  isOne(asker.got, upstream);
  assert.deepEqual(asker.failures, []);
  pools.release(upstream, true);
  assert.equal(upstream.socket.destroyed, true);
});
