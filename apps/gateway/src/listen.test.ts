import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { after, before, type TestContext, test } from 'node:test';
import { withLock } from '@paddock/runtime/lock';
import { freePort } from '../../../scripts/test/free-port.ts';
import { type Fixture, startFixture } from '../test/fixture.ts';
import { spawnGatewayProcess } from '../test/gateway-process.ts';

// The fixture is used for its database.
let fixture: Fixture;
before(async () => {
  fixture = await startFixture();
});
after(() => fixture.close());

const skip = process.platform === 'linux' ? false : 'only Linux lets several processes listen on one port';

interface Settings {
  installation?: string;
  processes?: number;
  predecessor?: number | undefined;
}

function startOn(t: TestContext, port: number, { installation, processes = 1, predecessor }: Settings) {
  const env = {
    PADDOCK_GATEWAY_PORT: String(port),
    PADDOCK_GATEWAY_PROCESSES: String(processes),
    PADDOCK_GATEWAY_PREDECESSORS: predecessor === undefined ? '' : String(predecessor),
  };
  const gateway = spawnGatewayProcess(fixture.database.url, env, installation === undefined ? [] : [`--gateway-of=${installation}`]);
  t.after(async () => {
    gateway.child.kill('SIGTERM');
    await gateway.exited;
  });
  const outcome = gateway.ready.then(
    () => 'serves',
    (error: Error) => error.message,
  );
  return { ...gateway, outcome };
}

const refusalOf = (port: number, holder = '\\d+') =>
  new RegExp(`left with 3 [^]*Port ${port} is in use by process ${holder} \\(node .*\\).* another port with PADDOCK_GATEWAY_PORT`);

for (const processes of [1, 2]) {
  test(`a gateway of another installation, with ${processes} processes, does not take a port that is served`, { skip }, async (t) => {
    const port = await freePort();
    const first = startOn(t, port, { installation: 'one', processes });
    assert.equal(await first.outcome, 'serves');
    const second = startOn(t, port, { installation: 'two', processes });
    assert.match(await second.outcome, refusalOf(port));
    const unmarked = startOn(t, port, { processes });
    assert.match(await unmarked.outcome, refusalOf(port, processes === 1 ? String(first.child.pid) : undefined));
  });

  test(`of gateways of three installations that start at once, with ${processes} processes each, one serves`, { skip }, async (t) => {
    const port = await freePort();
    const gateways = ['one', 'two', 'three'].map((installation) => startOn(t, port, { installation, processes }));
    const outcomes = await Promise.all(gateways.map(({ outcome }) => outcome));
    assert.deepEqual(outcomes.filter((outcome) => outcome === 'serves').length, 1);
    for (const outcome of outcomes) if (outcome !== 'serves') assert.match(outcome, refusalOf(port));
  });

  test(`a gateway of the same installation, with ${processes} processes, serves beside the one before`, { skip }, async (t) => {
    const port = await freePort();
    assert.equal(await startOn(t, port, { installation: 'one', processes }).outcome, 'serves');
    assert.equal(await startOn(t, port, { installation: 'one', processes }).outcome, 'serves');
  });

  test(`a gateway serves beside one with ${processes} processes that its server names as the one before`, { skip }, async (t) => {
    const port = await freePort();
    const before = startOn(t, port, { installation: 'before the folder was moved', processes });
    assert.equal(await before.outcome, 'serves');
    assert.equal(await startOn(t, port, { installation: 'moved', processes, predecessor: before.child.pid }).outcome, 'serves');
  });
}

const cannotHandOver = skip || (process.getuid?.() === 0 ? false : 'only root may have the kernel hand connections over');

test('of visitors that come while a gateway leaves, none is reset', { skip: cannotHandOver }, async (t) => {
  const port = await freePort();
  const before = startOn(t, port, { installation: 'one' });
  assert.equal(await before.outcome, 'serves');
  assert.equal(await startOn(t, port, { installation: 'one' }).outcome, 'serves');
  const stopVisiting = visitWithoutPause(port, 20);
  before.child.kill('SIGTERM');
  await before.exited;
  assert.deepEqual(await stopVisiting(20), []);
});

/** Visitors who send requests without pause, each on a new connection, until stopped, after at least so many answers. */
function visitWithoutPause(port: number, visitors: number) {
  const failed: string[] = [];
  let answered = 0;
  let isStopped = false;
  const ask = () =>
    new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () =>
        socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n'),
      );
      socket.once('data', () => answered++);
      socket.on('error', (error) => failed.push(error.message));
      socket.on('close', () => resolve());
    });
  const all = Array.from({ length: visitors }, async () => {
    while (!isStopped) await ask();
  });
  return async (minAnswers: number) => {
    while (answered < minAnswers) await new Promise((resolve) => setTimeout(resolve, 10));
    isStopped = true;
    await Promise.all(all);
    return failed;
  };
}

test('a program that shares its port is no gateway of this installation', { skip }, async (t) => {
  const port = await freePort();
  const other: Server = createServer().listen({ port, host: '0.0.0.0', reusePort: true });
  t.after(() => other.close());
  await once(other, 'listening');
  assert.match(await startOn(t, port, { installation: 'one' }).outcome, refusalOf(port, String(process.pid)));
});

test('a gateway looks for listeners only while no other gateway is about to listen', { skip }, async (t) => {
  const port = await freePort();
  const other = createServer();
  t.after(() => other.close());
  const gateway = await withLock(`gateway port ${port}`, async () => {
    const started = startOn(t, port, { installation: 'one' });
    // Long enough for a gateway that does not wait for the lock to fail the test; a gateway that waits passes however long this is.
    await Promise.race([started.outcome, new Promise((resolve) => setTimeout(resolve, 4_000))]);
    await once(other.listen({ port, host: '127.0.0.1', reusePort: true }), 'listening');
    return started;
  });
  assert.match(await gateway.outcome, refusalOf(port, String(process.pid)));
});

test('a gateway waits a moment for a port that is just being released', { skip }, async (t) => {
  const port = await freePort();
  const other = createServer().listen(port, '127.0.0.1');
  await once(other, 'listening');
  const gateway = startOn(t, port, { installation: 'one' });
  setTimeout(() => other.close(), 1_000);
  assert.equal(await gateway.outcome, 'serves');
});
